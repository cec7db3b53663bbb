import { createMemoryStore, StoreError } from "@turnwire/log";
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { SessionEvent } from "@turnwire/protocol";
import { onTestFinished } from "vitest";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import type { SessionHostOptions } from "../../../server/src/3-host/creation/session-host-options.ts";
import { MemoryTranscripts } from "../../../server/src/test-support/memory-transcripts.ts";
import { claudeCli } from "../cli/runtime.ts";
import { type ClaudePlace, killAgents } from "./claude-place.ts";
import { ClaudeSession, openClaudeHost } from "./claude-session.ts";

/** What a store answers that cannot be reached. */
export const away = new StoreError("unavailable", "the store is away");

/** Hosts of one store, each with a configuration directory of its own: what one CLI writes, the other does not see. */
export function openHosts(
  place: ClaudePlace,
  options: (env: Record<string, string>) => Partial<SessionHostOptions> = () => ({}),
) {
  const transcripts = new MemoryTranscripts();
  const store = Object.assign(createMemoryStore({ isShared: true }), { transcripts });
  const suffix = randomUUID();
  const directory = (name: string) => join(place.cwd, "..", `${name}-${suffix}`);
  const open = (name: string): SessionHost => {
    const env = { ...place.env, CLAUDE_CONFIG_DIR: directory(name) };
    const own = { store, onError: () => undefined, ...options(env) };
    const host = openClaudeHost(place, { env }, own);
    onTestFinished(() => host.close());
    return host;
  };
  onTestFinished(async () => {
    for (const name of ["a", "b"]) await rm(directory(name), { recursive: true, force: true });
  });
  return { open, transcripts, directory };
}

/** The same, where the hosts drive the CLI themselves. */
export function openCliHosts(place: ClaudePlace) {
  const { open, ...rest } = openHosts(place, (env) => ({
    runtimes: [claudeCli({ env, model: "claude-opus-5-5" })],
    defaultRuntime: "claude-cli",
  }));
  return { a: open("a"), b: open("b"), ...rest };
}

/** Closes a host and opens the session on another. */
export async function move(session: ClaudeSession, from: SessionHost, to: SessionHost) {
  const { id } = session.session;
  await from.close();
  return ClaudeSession.open(to, id);
}

/** What the model was sent in its newest call. */
export function remembered({ standin }: ClaudePlace): string[] {
  const body = JSON.stringify(standin.requests.at(-1)?.body);
  return Array.from(body.matchAll(/SCENARIO:(?:text|tool touch) (\w+)/g), ([, word = ""]) => word);
}

/** What the log says in a turn, apart from the conversation. */
export function noticesOf(events: readonly SessionEvent[]): string[] {
  return events.flatMap((event) => (event.type === "notice" ? [event.data.text] : []));
}

/** Two hosts, and a session of the first whose newest turn was lost, and with it its record. */
export async function loseRecord(place: ClaudePlace) {
  const { open, transcripts } = openHosts(place);
  const [a, b] = [open("a"), open("b")];
  const first = await ClaudeSession.create(a);
  await first.turn("SCENARIO:text one");
  transcripts.problem = away;
  await first.asked(await first.say("SCENARIO:tool touch two"));
  await killAgents();
  transcripts.endLeases();
  transcripts.problem = undefined;
  const second = await move(first, a, b);
  return { second, b, open };
}
