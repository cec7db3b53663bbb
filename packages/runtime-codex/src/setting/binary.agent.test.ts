import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { codexBinary } from "./binary.ts";

describe("codexBinary", () => {
  test("takes the configured program", () => {
    expect(codexBinary("/opt/codex")).toBe("/opt/codex");
  });

  test("finds the native program of the pinned npm package", () => {
    const path = codexBinary();
    expect(path).toMatch(/vendor.*codex(\.exe)?$/);
    expect(execFileSync(path, ["--version"], { encoding: "utf8" })).toBe("codex-cli 0.169.0\n");
  });
});
