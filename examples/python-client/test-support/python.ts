import { demo } from "@turnwire/runtime/demo";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore, createSessionHost, createTurnwireServer } from "@turnwire/server";

export const token = "python-client-test-token-0123456789-abcdefghijklmnop";
const version = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]);
export const hasPython = version.status === 0;
if (!hasPython)
  console.warn("The Python client is not tested: python3 of 3.9 or newer is missing.");

export function program(file: string): string {
  return join(import.meta.dirname, "..", file);
}

export async function startServer() {
  const host = createSessionHost({
    store: createMemoryStore(),
    runtimes: [demo({ delayMs: 0 })],
    defaultRuntime: "demo",
    roots: [tmpdir()],
  });
  const server = await createTurnwireServer({ host, auth: { type: "token", token } });
  const { url } = await server.listen();
  return { url, close: () => server.close() };
}
