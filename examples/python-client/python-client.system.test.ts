import { execFile, spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { clientContract } from "@turnwire/conformance";
import {
  createDemoRuntime,
  createMemoryStore,
  createSessionHost,
  createTurnwireServer,
  type TurnwireServer,
} from "@turnwire/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const run = promisify(execFile);
const token = "python-client-test-token-0123456789-abcdefghijklmnop";
const version = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]);
const hasPython = version.status === 0;
if (!hasPython)
  console.warn("The Python client is not tested: python3 of 3.9 or newer is missing.");

function program(file: string): string {
  return join(import.meta.dirname, file);
}

describe.skipIf(!hasPython)("the Python client", () => {
  let server: TurnwireServer;
  let url: string;
  beforeAll(async () => {
    const host = createSessionHost({
      store: createMemoryStore(),
      runtimes: [createDemoRuntime({ delayMs: 0 })],
      defaultRuntime: "demo",
      roots: [tmpdir()],
    });
    server = await createTurnwireServer({ host, auth: { type: "token", token } });
    ({ url } = await server.listen());
  });
  afterAll(() => server.close());

  clientContract("the Python client", () => ({
    client: { command: "python3", args: [program("check.py")] },
    server: { url, token },
  }));

  test("folds every kind of turn to the state of the server's snapshot", async () => {
    const env = { ...process.env, TURNWIRE_URL: url, TURNWIRE_TOKEN: token };
    const { stderr } = await run("python3", [program("check_fold.py")], { env });
    expect(stderr).toBe("");
  });
});
