import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runtimeContract } from "@turnwire/conformance";
import { expect, test } from "vitest";
import { createEchoRuntime } from "./echo-runtime.ts";

runtimeContract("echo", createEchoRuntime, {
  prompts: { text: "one two three", long: "word ".repeat(1000) },
});

test("the example is short enough to be read", async () => {
  const text = await readFile(join(import.meta.dirname, "echo-runtime.ts"), "utf8");
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(80);
});
