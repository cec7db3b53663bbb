import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startMounted, testMounted, token } from "./test-support/mounted.ts";

testMounted("express", "node-http");

test("a program that knows only the kit's wire talks to it", async () => {
  const { url } = await startMounted("express");
  const program = fileURLToPath(new URL("../kit-client/chat.js", import.meta.url));
  const client = spawn(
    process.execPath,
    [program, `${url.replace("http:", "ws:")}/ws`, "/permission"],
    { env: { ...process.env, TURNWIRE_TOKEN: token } },
  );
  let output = "";
  client.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [code] = (await once(client, "close")) as [number];
  expect([code, output]).toEqual([0, expect.stringContaining("allowed: ")]);
  expect(output).toMatch(/session [\w-]+: success/);
});
