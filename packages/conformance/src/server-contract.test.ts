import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runChecks } from "./check.ts";
import { startDemoServer, type DemoServer } from "./demo-server.ts";
import { serverChecks } from "./server-checks.ts";
import { serverContract } from "./server-contract.ts";

let server: DemoServer;
beforeAll(async () => {
  server = await startDemoServer();
});
afterAll(() => server.close());

serverContract("our own server", () => server);

describe("the server contract", () => {
  test("finds a server that is none of ours", async () => {
    const nowhere = { url: "http://127.0.0.1:9", token: "x" };
    for await (const { failure } of runChecks(serverChecks, nowhere)) {
      expect(failure).toBeInstanceOf(Error);
    }
  });
});
