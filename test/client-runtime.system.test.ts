import { test } from "vitest";
import { readInRuntime } from "./support/runtime-reading.ts";

// Node 20 has no WebSocket of its own.
test("the client in Node reads on through cuts and a server that dies in mid-turn", () =>
  readInRuntime({ name: "node", command: [process.execPath], transport: "auto" }));
