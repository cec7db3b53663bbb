import { demo } from "@turnwire/runtime/demo";
import {
  createMemoryStore,
  createSessionHost,
  createTurnwireServer,
  type TurnwireServer,
} from "@turnwire/server";
import { kit } from "@turnwire/wire-kit";
import { webkit } from "@turnwire/wire-webkit";

/** Where every application here has Turnwire. */
export const mountPath = "/agents";

/** The server that the applications mount; a real one has a durable store and real agents. */
export function createAgents(token: string): Promise<TurnwireServer> {
  const host = createSessionHost({
    store: createMemoryStore(),
    runtimes: [demo({ delayMs: 0 })],
    defaultRuntime: "demo",
    roots: [process.cwd()],
  });
  return createTurnwireServer({
    host,
    auth: { type: "token", token },
    wires: [kit(), webkit()],
    mountPath,
  });
}
