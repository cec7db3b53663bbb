/** Follows a session in whichever runtime this is bundled for: Node, Bun, Deno or a page. */
import { createClient, type ClientOptions } from "@turnwire/client";
import type { SessionState } from "@turnwire/protocol";

export interface ReadingOptions extends Pick<ClientOptions, "url" | "token" | "transport"> {
  readonly sessionId: string;
  /** It is over when so many turns have ended. */
  readonly turns: number;
}

export interface Reading {
  /** Every event that a raw tail gave. */
  readonly seqs: readonly number[];
  /** The state of a session store. */
  readonly state: SessionState;
  readonly runtime: string;
}

export async function readSession(options: ReadingOptions): Promise<Reading> {
  const { sessionId, turns, ...rest } = options;
  // Short waits: a test breaks lines more often than the world does.
  const client = createClient({ ...rest, random: () => 0.05 });
  const session = client.openSession(sessionId, { start: "beginning" });
  const seqs: number[] = [];
  let ended = 0;
  for await (const event of client.events(sessionId)) {
    seqs.push(event.seq);
    if (event.type === "done") ended += 1;
    if (ended === turns) break;
  }
  const last = seqs.at(-1) ?? 0;
  const { session: state } = await session.waitFor((view) => view.session.seq >= last);
  session.close();
  return { seqs, state, runtime: runtimeName() };
}

function runtimeName(): string {
  const { Bun, Deno, process } = globalThis as {
    Bun?: unknown;
    Deno?: unknown;
    process?: { versions?: { node?: string } };
  };
  if (Bun) return "bun";
  if (Deno) return "deno";
  return process?.versions?.node ? "node" : "browser";
}
