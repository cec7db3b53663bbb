import { draft, type EventData } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { eventOf, readAll } from "../../test-support/log-reader.ts";
import type { ScriptedRun } from "../../test-support/scripted-runtime.ts";
import { admin } from "../../test-support/test-host.ts";
import type { Session } from "../session.ts";
import { emit, entry, playing, say, shown } from "./test-support/ui-session.ts";

function act(session: Session, component_id: string, more: object = {}) {
  const action = { action: "click", payload: { row: 1 }, ...more };
  return session.execute({ type: "component_callback", component_id, ...action }, admin);
}

describe("what a person did in a component", () => {
  async function ended(session: Session, run: ScriptedRun, turnId: string) {
    run.finish(turnId);
    await eventOf(session.log, "done");
  }

  test("becomes a message that the agent answers", async () => {
    const { session, run, turnId } = await playing([entry("card")], shown("c1", { title: "A" }));
    await ended(session, run, turnId);
    const taken = await act(session, "c1");
    if (!taken.ok) throw new Error(taken.error.message);
    const { input } = await run.wasAsked("send", 2);
    const callback = { component_id: "c1", name: "card", action: "click", payload: { row: 1 } };
    expect(input.callback).toEqual(callback);
    expect(input.content).toEqual([
      {
        type: "text",
        text: 'The person used the component card (component_id c1): click\n{"row":1}',
      },
    ]);
    const events = await readAll(session.log);
    const said = events.filter(
      ({ type }) => type === "component_callback" || type === "user_message",
    );
    expect(said.slice(1)).toMatchObject([
      { type: "component_callback", data: { message_id: taken.value.messageId, by: "admin" } },
      { type: "user_message", data: { callback, message_id: taken.value.messageId } },
    ]);
    const { state } = await session.snapshot();
    expect(state.messages.at(-1)).toMatchObject({ role: "user", callback });
  });

  test("waits for the running turn, and can be taken back", async () => {
    const { session, run, turnId } = await playing([], shown("c1", {}));
    const first = await act(session, "c1");
    await act(session, "c1", { action: "second" });
    expect(session.control.queue).toMatchObject([
      { callback: { action: "click" } },
      { callback: { action: "second" } },
    ]);
    const message_id = (first.ok && first.value.messageId) || "";
    await session.execute({ type: "cancel_message", message_id }, admin);
    run.finish(turnId);
    expect((await run.wasAsked("send", 2)).input.callback).toMatchObject({ action: "second" });
  });

  test("is taken once, however often its sender repeats it", async () => {
    const { session } = await playing([], shown("c1", {}));
    const twice = await Promise.all(
      [1, 2].map(() => act(session, "c1", { client_callback_id: "k" })),
    );
    expect(twice.map((answer) => answer.ok && answer.value.duplicate === true)).toEqual([
      false,
      true,
    ]);
    const ids = twice.map((answer) => answer.ok && answer.value.messageId);
    expect(ids[0]).toBe(ids[1]);
    expect(session.control.queue).toHaveLength(1);
    const other = await act(session, "c1", { client_callback_id: "k", action: "other" });
    expect(other).toMatchObject({ error: { code: "idempotency_conflict" } });
  });

  test("is repeated without effect also when the component has gone meanwhile", async () => {
    const { session, run } = await playing([], shown("c1", {}));
    const first = await act(session, "c1", { client_callback_id: "k" });
    await emit(session, run, draft("component_remove", { component_id: "c1" }));
    expect(await act(session, "c1", { client_callback_id: "k" })).toMatchObject({
      ok: true,
      value: { duplicate: true, seq: first.ok && first.value.seq },
    });
    expect(await act(session, "c1")).toMatchObject({ error: { code: "component_gone" } });
  });

  test("waits for the next message where the catalog says so, and starts nothing", async () => {
    const card = entry("card", { callbacks: "next_turn" });
    const { session, run, turnId } = await playing([card], shown("c1", { title: "A" }));
    await ended(session, run, turnId);
    expect(await act(session, "c1")).toMatchObject({ ok: true });
    await run.wasAsked("callback");
    expect(session.control).toMatchObject({ turn: null, queue: [] });
    const reported = (await readAll(session.log)).at(-1);
    expect(reported).toMatchObject({ type: "component_callback", data: { component_id: "c1" } });
    expect(reported?.data).not.toHaveProperty("message_id");
  });

  describe("that waits for the next message", () => {
    const card = entry("card", { callbacks: "next_turn" });

    async function asleep() {
      const opened = await playing([card], shown("c1", { title: "A" }));
      await ended(opened.session, opened.run, opened.turnId);
      await opened.session.hibernate();
      return opened;
    }

    test("reaches an agent that slept before that message does, and only once", async () => {
      const { session, runtime } = await asleep();
      expect(await act(session, "c1")).toMatchObject({ ok: true });
      await say(session, "and now?");
      const woken = await runtime.run(1);
      const { input } = await woken.wasAsked("send");
      expect(woken.asked.map(({ type }) => type)).toEqual(["callback", "send"]);
      await ended(session, woken, input.turnId);
      await session.hibernate();
      await say(session, "and then?");
      const last = await runtime.run(2);
      await last.wasAsked("send");
      expect(last.asked.map(({ type }) => type)).toEqual(["send"]);
    });

    test("is kept where the session is loaded again", async () => {
      const { host, session, runtime } = await asleep();
      await act(session, "c1");
      await session.end({ type: "release" });
      const loaded = await host.open(session.id, admin);
      if (!loaded.ok) throw new Error(loaded.error.message);
      await say(loaded.value, "and now?");
      const woken = await runtime.run(1);
      expect(await woken.wasAsked("callback")).toMatchObject({ callback: { component_id: "c1" } });
    });

    test("is not said twice to an agent that lives", async () => {
      const { session, run, turnId } = await playing([card], shown("c1", { title: "A" }));
      await ended(session, run, turnId);
      await act(session, "c1");
      await run.wasAsked("callback");
      await say(session, "and now?");
      await run.wasAsked("send", 2);
      expect(run.asked.map(({ type }) => type)).toEqual(["send", "callback", "send"]);
    });
  });

  test("wakes a session that sleeps", async () => {
    const { session, run, turnId, runtime } = await playing([], shown("c1", {}));
    await ended(session, run, turnId);
    await session.hibernate();
    expect(session.control.session.status).toBe("hibernated");
    await act(session, "c1");
    const woken = await runtime.run(1);
    expect((await woken.wasAsked("send")).input.callback).toMatchObject({ component_id: "c1" });
  });

  test.each(["never", "tool:none", "state:card", "interrupt-none", "constructor", "__proto__"])(
    "is refused from %s, which is not there",
    async (id) => {
      const { session } = await playing([entry("card", { state_key: "/card" })]);
      expect(await act(session, id)).toMatchObject({
        error: { code: "component_gone", details: { component_id: id } },
      });
      expect(session.control.queue).toEqual([]);
    },
  );

  test("is refused when the component was removed", async () => {
    const removed = draft("component_remove", { component_id: "c1" });
    const { session } = await playing([], shown("c1", {}), removed);
    expect(await act(session, "c1")).toMatchObject({ error: { code: "component_gone" } });
  });

  test("counts also in what the UI derives: tool calls, state keys and interrupts", async () => {
    const catalog = [entry("card", { tools: [{ tool: "mcp__cards__show" }], state_key: "/card" })];
    const start: EventData<"tool_start"> = {
      message_id: "m",
      tool_use_id: "t1",
      tool: "mcp__cards__show",
      input: {},
    };
    const { session } = await playing(
      catalog,
      draft("tool_start", start),
      draft("tool_start", { ...start, tool_use_id: "t2", tool: "Bash" }),
      draft("state_snapshot", { state: { card: { title: "A" } } }),
      draft("interrupt", {
        interrupt_id: "i1",
        component_name: "form",
        props: {},
        surface: "sidebar",
      }),
    );
    for (const id of ["tool:t1", "state:card", "interrupt-i1"]) {
      expect(await act(session, id)).toMatchObject({ ok: true });
    }
    expect(session.control.queue.map(({ callback }) => callback?.name)).toEqual([
      "card",
      "card",
      "form",
    ]);
    expect(await act(session, "tool:t2")).toMatchObject({ error: { code: "component_gone" } });
    const patches = [{ op: "remove" as const, path: "/card" }];
    await session.execute({ type: "state_patch", patches }, admin);
    expect(await act(session, "state:card")).toMatchObject({ error: { code: "component_gone" } });
  });

  test("with a large payload reaches the agent whole", async () => {
    const { session, run, turnId } = await playing([], shown("c1", {}));
    const payload = { text: "x".repeat(400_000) };
    await act(session, "c1", { payload });
    run.finish(turnId);
    const { input } = await run.wasAsked("send", 2);
    expect(input.callback?.payload).toEqual(payload);
    expect(JSON.stringify(input.content)).toContain(payload.text);
  });
});
