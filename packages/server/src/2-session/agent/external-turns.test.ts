import { draft, checkGrammar, initialState, fold } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import type { MissedTurnQuery, TimedDraft } from "@turnwire/runtime";
import { readAll } from "../../test-support/log-reader.ts";
import { ScriptedRuntime } from "../../test-support/scripted-runtime.ts";
import { admin, createTestSession, openTestHost } from "../../test-support/test-host.ts";
import type { Session } from "../session.ts";

/** A runtime whose conversations can be continued elsewhere. */
class SharedRuntime extends ScriptedRuntime {
  readonly queries: MissedTurnQuery[] = [];
  external: () => Promise<TimedDraft[][]> = async () => [];
  readonly history = {
    list: async () => [],
    read: async () => undefined,
    readExternal: (query: MissedTurnQuery) => {
      this.queries.push(query);
      return this.external();
    },
  };
}

const ts = "2026-01-01T00:00:00.000Z";

function turnElsewhere(id: string): TimedDraft[] {
  const place = { turn_id: id };
  const content = [{ type: "text" as const, text: `asked in ${id}` }];
  const message = {
    role: "assistant" as const,
    content: [{ type: "text", text: `answered in ${id}` }],
  };
  return [
    { ...draft("user_message", { message_id: `m-${id}`, content, delivery: "turn" }), ts },
    { ...draft("turn_started", { turn_id: id, message_id: `m-${id}` }, place), ts },
    { ...draft("delta", { message_id: `a-${id}`, text: `answered in ${id}` }, place), ts },
    { ...draft("message_complete", { message_id: `a-${id}`, message }, place), ts },
    { ...draft("result", { turn_id: id, subtype: "success", is_error: false }, place), ts },
    { ...draft("done", { turn_id: id }, place), ts },
  ];
}

async function say(session: Session, content: string) {
  return session.execute({ type: "user_message", content }, admin);
}

async function playTurn(session: Session, runtime: SharedRuntime, text: string): Promise<string> {
  const said = await say(session, text);
  if (!said.ok) throw new Error(said.error.message);
  const { run, turnId } = await runtime.sent(said.value.messageId);
  run.finish(turnId);
  await expect.poll(() => session.control.turn).toBe(null);
  return turnId;
}

/** A session that has had one turn and sleeps. */
async function openHibernated() {
  const runtime = new SharedRuntime();
  const { host, clock, errors } = openTestHost({ runtimes: [runtime] });
  const session = await createTestSession(host);
  const provider_session_id = "theirs";
  await session.record([{ type: "session_updated", data: { provider_session_id } }]);
  const turnId = await playTurn(session, runtime, "first");
  await session.hibernate();
  return { session, runtime, clock, errors, turnId };
}

async function turnsOf(session: Session): Promise<string[]> {
  const events = await readAll(session.log);
  expect(checkGrammar(events)).toEqual([]);
  return events.flatMap((event) => (event.type === "turn_started" ? [event.data.turn_id] : []));
}

describe("turns that a conversation got elsewhere", () => {
  test("stand in the log before the message that wakes the agent", async () => {
    const { session, runtime, turnId } = await openHibernated();
    runtime.external = async () => [turnElsewhere("one"), turnElsewhere("two")];
    const next = await playTurn(session, runtime, "second");
    expect(await turnsOf(session)).toEqual([turnId, "one", "two", next]);
    const events = await readAll(session.log);
    const state = events.reduce(fold, initialState());
    expect(state.messages.map(({ turn_id: id }) => id)).toEqual(
      [turnId, "one", "two", next].flatMap((id) => [id, id]),
    );
    expect((await session.snapshot()).state).toEqual(state);
    const notices = events.filter(({ type }) => type === "notice");
    expect(notices.map(({ turn_id: id }) => id)).toEqual(["one", "two"]);
  });

  test("are asked for with all that the log knows, also what was rolled back", async () => {
    const { session, runtime, turnId } = await openHibernated();
    const second = await playTurn(session, runtime, "second");
    await session.execute({ type: "rollback", turn_id: second }, admin);
    await session.hibernate();
    const events = await readAll(session.log);
    const end = events.findLast(({ type }) => type === "done");
    await playTurn(session, runtime, "third");
    const query = runtime.queries.at(-1);
    expect(query).toMatchObject({ providerSessionId: "theirs", since: end?.ts });
    expect([...((await query?.knownTurnIds()) ?? [])].slice(0, 2)).toEqual([turnId, second]);
  });

  test("are looked for once, and not while an agent lives", async () => {
    const { session, runtime } = await openHibernated();
    expect(runtime.queries).toHaveLength(0);
    const said = await Promise.all([say(session, "second"), say(session, "third")]);
    expect(said.every(({ ok }) => ok)).toBe(true);
    expect(runtime.queries).toHaveLength(1);
  });

  test("come before a wake, a rollback and a fork", async () => {
    const { session, runtime, turnId } = await openHibernated();
    runtime.external = async () => [turnElsewhere(`turn ${runtime.queries.length}`)];
    await session.wake();
    await session.hibernate();
    await session.execute({ type: "fork" }, admin);
    await session.execute({ type: "rollback", turn_id: "turn 1" }, admin);
    expect(await turnsOf(session)).toEqual([turnId, "turn 1", "turn 2", "turn 3"]);
    expect((await session.snapshot()).state.messages.at(-1)?.turn_id).toBe(turnId);
  });

  test("come before a compaction", async () => {
    const { session, runtime, turnId } = await openHibernated();
    runtime.external = async () => [turnElsewhere("one")];
    await session.execute({ type: "compact" }, admin);
    expect(await turnsOf(session)).toEqual([turnId, "one"]);
    expect((await runtime.run(1)).asked.map(({ type }) => type)).toEqual(["compact"]);
  });

  test("hold nothing up when they cannot be read", async () => {
    const { session, runtime, errors, turnId } = await openHibernated();
    runtime.external = () => Promise.reject(new Error("the transcript is damaged"));
    const next = await playTurn(session, runtime, "second");
    expect(await turnsOf(session)).toEqual([turnId, next]);
    expect(errors).toEqual([new Error("the transcript is damaged")]);
  });

  test("hold nothing up for long", async () => {
    const { session, runtime, clock, errors, turnId } = await openHibernated();
    let release: (turns: TimedDraft[][]) => void = () => undefined;
    runtime.external = () =>
      new Promise((resolve) => {
        release = resolve;
      });
    const playing = playTurn(session, runtime, "second");
    await expect.poll(() => runtime.queries.length).toBe(1);
    await clock.advance(5_000);
    const next = await playing;
    release([turnElsewhere("late")]);
    await session.hibernate();
    expect(await turnsOf(session)).toEqual([turnId, next]);
    expect(String(errors)).toContain("in time");
  });

  test("are shown up to a number; the others are counted", async () => {
    const { session, runtime } = await openHibernated();
    runtime.external = async () => Array.from({ length: 103 }, (_, at) => turnElsewhere(`t${at}`));
    await session.wake();
    expect((await turnsOf(session)).slice(1, 3)).toEqual(["t3", "t4"]);
    const events = await readAll(session.log);
    const notices = events.flatMap((event) => (event.type === "notice" ? [event.data.text] : []));
    expect(notices[0]).toContain("3 earlier turns");
    expect(notices[1]).not.toContain("earlier");
  });
});
