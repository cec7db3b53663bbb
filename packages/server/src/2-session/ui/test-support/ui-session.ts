import {
  type CatalogEntry,
  type CreateSession,
  draft,
  type EventDraft,
  type JsonObject,
} from "@turnwire/protocol";
import { eventOf, readAll } from "../../../test-support/log-reader.ts";
import type { ScriptedRun } from "../../../test-support/scripted-runtime.ts";
import { admin, openTestHost } from "../../../test-support/test-host.ts";
import type { Session } from "../../session.ts";
import type { SessionHost } from "../../../3-host/session-host.ts";

export function entry(name: string, more: Partial<CatalogEntry> = {}): CatalogEntry {
  return {
    name,
    description: `A ${name}.`,
    props_schema: {
      type: "object",
      properties: { title: { type: "string" }, rows: { type: "array" } },
      required: ["title"],
    },
    surfaces: ["chat", "sidebar"],
    ...more,
  };
}

export async function createSession(
  host: SessionHost,
  options: CreateSession = {},
): Promise<Session> {
  const created = await host.create(options, admin);
  if (!created.ok) throw new Error(created.error.message);
  return created.value;
}

export function say(session: Session, text: string) {
  return session.execute({ type: "user_message", content: text }, admin);
}

export function shown(component_id: string, props: JsonObject, more: object = {}): EventDraft {
  const data = { component_id, name: "card", surface: "chat" as const, props, merge: false };
  return draft("component_update", { ...data, ...more });
}

/** A session whose only turn still runs; the agent has done this in it. */
export async function playing(catalog: CatalogEntry[], ...drafts: EventDraft[]) {
  const { host, runtime } = openTestHost();
  const session = await createSession(host, { catalog });
  await say(session, "go");
  const run = await runtime.run();
  const { input } = await run.wasAsked("send");
  await emit(session, run, ...drafts);
  return { host, runtime, session, run, turnId: input.turnId };
}

/** Has the agent do this; it is in the log when this resolves. */
export async function emit(
  session: Session,
  run: ScriptedRun,
  ...drafts: EventDraft[]
): Promise<void> {
  const notices = (await readAll(session.log)).filter(({ type }) => type === "notice").length;
  run.say(...drafts, draft("notice", { level: "info", text: "emitted" }));
  await eventOf(session.log, "notice", notices + 1);
}
