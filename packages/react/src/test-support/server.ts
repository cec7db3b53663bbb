import { demo } from "@turnwire/runtime/demo";
import { createClient, type ClientOptions, type TurnwireClient } from "@turnwire/client";
import { createMemoryStore, createTurnwireServer, createSessionHost } from "@turnwire/server";
import { tmpdir } from "node:os";
import { onTestFinished } from "vitest";

const token = "react-test-token-0123456789-abcdefghijklmnopq";

export interface TestServer {
  readonly url: string;
  /** A client of its own, as another tab has; a session without holders lingers no longer than a moment. */
  readonly createClient: (options?: Partial<ClientOptions>) => TurnwireClient;
  /** How many connections follow something right now. */
  readonly subscribers: () => Promise<number>;
}

/** A real server with the demo agent; it ends with the test. */
export async function startServer(): Promise<TestServer> {
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const host = createSessionHost({
    store: createMemoryStore(),
    runtimes: [demo({ delayMs: 0 })],
    defaultRuntime: "demo",
    roots: [tmpdir()],
    onError,
  });
  const server = await createTurnwireServer({ host, auth: { type: "token", token }, onError });
  const { url } = await server.listen();
  onTestFinished(async () => {
    await server.close();
    if (errors.length > 0) throw new AggregateError(errors, "The server reported errors");
  });
  const own = createClient({ url, token });
  return {
    url,
    createClient: (options) =>
      createClient({ url, token, lingerMs: 50, random: () => 0, ...options }),
    subscribers: async () => {
      const lines = (await own.metrics()).split("\n");
      return lines
        .filter((line) => line.startsWith("turnwire_subscribers"))
        .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
    },
  };
}
