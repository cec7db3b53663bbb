import { demo } from "@turnwire/runtime/demo";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type Snapshot } from "@turnwire/client";
import { createMemoryStore, createSessionHost, createTurnwireServer } from "@turnwire/server";
import { render } from "svelte/server";
import type { TestProject } from "vitest/node";
import Page from "./Page.svelte";

interface Demo {
  readonly url: string;
  readonly token: string;
}

/** A page as a server gives it out. */
interface Rendered {
  readonly sessionId: string;
  readonly snapshot: Snapshot;
  readonly html: string;
}

declare module "vitest" {
  interface ProvidedContext {
    demo: Demo;
    rendered: Rendered;
  }
}

const token = "svelte-test-token-0123456789-abcdefghijklmnop";

/** Starts a real server with the demo agent for all tests: outside of them, where the page's globals are not. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const root = await mkdtemp(join(tmpdir(), "turnwire-svelte-"));
  const server = await createTurnwireServer({
    host: createSessionHost({
      store: createMemoryStore(),
      runtimes: [demo({ delayMs: 0 })],
      defaultRuntime: "demo",
      roots: [root],
    }),
    auth: { type: "token", token },
    // Where happy-dom's pages come from.
    allowedOrigins: ["http://localhost:3000"],
  });
  const { url } = await server.listen();
  project.provide("demo", { url, token });
  project.provide("rendered", await renderPage({ url, token }));
  return async () => {
    await server.close();
    await rm(root, { recursive: true, force: true });
  };
}

async function renderPage(demo: Demo): Promise<Rendered> {
  const client = createClient({ ...demo, transport: "sse" });
  const { session_id: sessionId } = await client.sessions.create();
  const session = client.openSession(sessionId);
  await session.send("/thinking");
  await session.waitFor(
    ({ session: { turn, messages } }) => turn === null && messages.length === 2,
  );
  session.close();
  const snapshot = await client.sessions.snapshot(sessionId);
  const { body } = render(Page, { props: { client, sessionId, snapshot } });
  return { sessionId, snapshot, html: body };
}
