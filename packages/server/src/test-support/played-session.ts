import { setImmediate as nextTick } from "node:timers/promises";
import { draft, type EventDraft } from "@turnwire/protocol";
import type { Session } from "../2-session/session.ts";
import type { SessionHost } from "../3-host/session-host.ts";
import { eventWhere } from "./log-reader.ts";
import type { ScriptedRuntime } from "./scripted-runtime.ts";
import { admin } from "./test-host.ts";

export async function reopen(host: SessionHost, sessionId: string): Promise<Session> {
  const opened = await host.open(sessionId, admin);
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

export async function say(session: Session, text: string, more: object = {}) {
  return session.execute({ type: "user_message", content: text, ...more }, admin);
}

/** Plays one whole turn, with what else the agent says in it, and answers with its id. */
export async function playTurn(
  session: Session,
  runtime: ScriptedRuntime,
  text: string,
  drafts: readonly EventDraft[] = [],
): Promise<string> {
  const said = await say(session, text);
  if (!said.ok) throw new Error(said.error.message);
  const { run, turnId } = await runtime.sent(said.value.messageId);
  run.say(draft("session_updated", { provider_session_id: "provider-1" }));
  for (const each of drafts) run.say(each);
  run.finish(turnId);
  await eventWhere(session.log, (event) => event.type === "done" && event.data.turn_id === turnId);
  return turnId;
}

/** A promise and the function that settles it. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Follows a log as a stream does, until it ends. */
export function follow(session: Session) {
  const seqs: number[] = [];
  const ended = new Promise<string>((resolve) => {
    session.log.subscribe({
      onEvents: (events) => seqs.push(...events.map((event) => event.seq)),
      onEnd: resolve,
    });
  });
  return { seqs, ended };
}

/** Lets the event loop turn until it is so; the test's own time limit ends an endless wait. */
export async function eventually(isSo: () => boolean): Promise<void> {
  while (!isSo()) await nextTick();
}
