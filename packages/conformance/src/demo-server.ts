import { demo } from "@turnwire/runtime/demo";
import { tmpdir } from "node:os";
import { createMemoryStore, createSessionHost, createTurnwireServer } from "@turnwire/server";

export interface DemoServer {
  readonly url: string;
  readonly token: string;
  close(): Promise<void>;
}

/** A server on a free port of this machine, with the scripted agent and a memory store. */
export async function startDemoServer(): Promise<DemoServer> {
  const token = `conformance-${crypto.randomUUID()}`;
  const host = createSessionHost({
    store: createMemoryStore(),
    runtimes: [demo({ delayMs: 0 })],
    defaultRuntime: "demo",
    roots: [tmpdir()],
  });
  const server = await createTurnwireServer({ host, auth: { type: "token", token } });
  const { url } = await server.listen();
  return { url, token, close: () => server.close() };
}
