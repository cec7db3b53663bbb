import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runChecks } from "./check.ts";
import { clientChecks, type ClientSubject } from "./client-checks.ts";
import { clientContract } from "./client-contract.ts";
import { startDemoServer, type DemoServer } from "./demo-server.ts";

const program = fileURLToPath(
  new URL("./client-contract/test-support/plain-client.mjs", import.meta.url),
);

let server: DemoServer;
beforeAll(async () => {
  server = await startDemoServer();
});
afterAll(() => server.close());

function subject(fault = ""): ClientSubject {
  const args = ["PLAIN_CLIENT_FAULT=" + fault, process.execPath, program];
  return { client: { command: "env", args }, server };
}

clientContract("a plain client", subject);

describe("the client contract", () => {
  test.each(["forgets its position", "loses the first event after a cut"])(
    "finds a client that %s",
    async (fault) => {
      const failed: string[] = [];
      for await (const { name, failure } of runChecks(clientChecks.slice(1, 2), subject(fault))) {
        if (failure !== undefined) failed.push(name);
      }
      expect(failed).toHaveLength(1);
    },
  );
});
