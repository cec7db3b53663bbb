import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createDemoRuntime,
  createMemoryStore,
  createSessionHost,
  createTurnwireServer,
} from "@turnwire/server";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    demo: { readonly url: string; readonly token: string };
  }
}

const token = "svelte-test-token-0123456789-abcdefghijklmnop";

/** Starts a real server with the demo agent for all tests: outside of them, where the page's globals are not. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const root = await mkdtemp(join(tmpdir(), "turnwire-svelte-"));
  const server = await createTurnwireServer({
    host: createSessionHost({
      store: createMemoryStore(),
      runtimes: [createDemoRuntime({ delayMs: 0 })],
      defaultRuntime: "demo",
      roots: [root],
    }),
    auth: { type: "token", token },
    // Where happy-dom's pages come from.
    allowedOrigins: ["http://localhost:3000"],
  });
  const { url } = await server.listen();
  project.provide("demo", { url, token });
  return async () => {
    await server.close();
    await rm(root, { recursive: true, force: true });
  };
}
