import { expect, test } from "vitest";
import { readInRuntime } from "./support/runtime-reading.ts";

// Node 20 has no WebSocket of its own.
test("the client in Node reads on through cuts and a server that dies in mid-turn", async () => {
  const command = [process.execPath] as const;
  const { found, expected } = await readInRuntime({ name: "node", command, transport: "auto" });
  expect(found).toEqual(expected);
});
