import {
  type CatalogEntry,
  type CreateSession,
  draft,
  type EventData,
  type EventDraft,
  type JsonObject,
  limits,
} from "@turnwire/protocol";
import { createMemoryStore } from "@turnwire/log";
import { describe, expect, test } from "vitest";
import { eventOf, readAll } from "../../test-support/log-reader.ts";
import type { ScriptedRun } from "../../test-support/scripted-runtime.ts";
import { admin, openTestHost } from "../../test-support/test-host.ts";
import type { Session } from "../session.ts";
import type { SessionHost } from "../session-host.ts";

function entry(name: string, more: Partial<CatalogEntry> = {}): CatalogEntry {
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

async function create(host: SessionHost, options: CreateSession = {}): Promise<Session> {
  const created = await host.create(options, admin);
  if (!created.ok) throw new Error(created.error.message);
  return created.value;
}

function say(session: Session, text: string) {
  return session.execute({ type: "user_message", content: text }, admin);
}

function add(session: Session, ...entries: CatalogEntry[]) {
  return session.execute({ type: "add_to_catalog", entries }, admin);
}

function act(session: Session, component_id: string, more: object = {}) {
  const action = { action: "click", payload: { row: 1 }, ...more };
  return session.execute({ type: "component_callback", component_id, ...action }, admin);
}

function shown(component_id: string, props: JsonObject, more: object = {}): EventDraft {
  const data = { component_id, name: "card", surface: "chat" as const, props, merge: false };
  return draft("component_update", { ...data, ...more });
}

/** A session in whose only turn, which still runs, the agent has done this. */
async function playing(catalog: CatalogEntry[], ...drafts: EventDraft[]) {
  const opened = openTestHost();
  const session = await create(opened.host, { catalog });
  await say(session, "go");
  const run = await opened.runtime.run();
  const { input } = await run.wasAsked("send");
  await tell(session, run, ...drafts);
  return { ...opened, session, run, turnId: input.turnId };
}

/** What the agent does is in the log when this is over. */
async function tell(session: Session, run: ScriptedRun, ...drafts: EventDraft[]): Promise<void> {
  const notices = (await readAll(session.log)).filter(({ type }) => type === "notice").length;
  run.say(...drafts, draft("notice", { level: "info", text: "told" }));
  await eventOf(session.log, "notice", notices + 1);
}

function ui(run: ScriptedRun) {
  const { ui: port } = run.options;
  if (!port) throw new Error("the run has no UI");
  return port;
}

describe("the catalog of a session", () => {
  test("is the host's and its own, in the first event, and the agent sees it", async () => {
    const { host, runtime } = openTestHost({ catalog: [entry("card")] });
    const session = await create(host, { catalog: [entry("list"), entry("card")] });
    expect((await readAll(session.log))[0]).toMatchObject({
      type: "session_ready",
      data: { catalog: [entry("card"), entry("list")] },
    });
    await say(session, "go");
    const run = await runtime.run();
    expect(ui(run).catalog()).toEqual([entry("card"), entry("list")]);
  });

  test("leaves no trace where there is none", async () => {
    const { host } = openTestHost();
    const session = await create(host);
    const [ready] = await readAll(session.log);
    expect(ready?.data).not.toHaveProperty("catalog");
    expect(session.control.catalog).toEqual([]);
  });

  test("grows by what clients add, and the agent learns of it at once", async () => {
    const { session, run } = await playing([entry("card")]);
    expect(await add(session, entry("list"), entry("list"))).toMatchObject({ ok: true });
    await run.wasAsked("catalog");
    expect(
      ui(run)
        .catalog()
        .map(({ name }) => name),
    ).toEqual(["card", "list"]);
    const added = (await readAll(session.log)).filter(({ type }) => type === "catalog_updated");
    expect(added).toMatchObject([{ data: { entries: [entry("list")], by: "admin" } }]);
  });

  test("takes what it has already without another event: every tab adds the same", async () => {
    const { host } = openTestHost();
    const session = await create(host, { catalog: [entry("card")] });
    const answers = await Promise.all([1, 2, 3].map(() => add(session, entry("list"))));
    expect(answers.every(({ ok }) => ok)).toBe(true);
    await add(session, entry("card"));
    expect((await readAll(session.log)).map(({ type }) => type)).toEqual([
      "session_ready",
      "catalog_updated",
    ]);
  });

  test("does not take another component of a name that it has", async () => {
    const { host } = openTestHost({ catalog: [entry("card")] });
    const other = entry("card", { description: "Another card." });
    const conflict = { error: { code: "catalog_conflict", details: { name: "card" } } };
    const session = await create(host);
    expect(await add(session, other)).toMatchObject(conflict);
    expect(await add(session, entry("list"), entry("list", { surfaces: ["chat"] }))).toMatchObject({
      error: { code: "catalog_conflict", details: { name: "list" } },
    });
    expect(await host.create({ catalog: [other] }, admin)).toMatchObject(conflict);
    expect(session.control.catalog).toEqual([entry("card")]);
  });

  test.each<[string, CatalogEntry[], object]>([
    [
      "a schema that is none",
      [entry("list", { props_schema: { properties: { a: { type: "text" } } } })],
      { name: "list", path: "/properties/a/type" },
    ],
    [
      "a place it may not be in",
      [entry("list", { surface_for_state: "canvas" })],
      { name: "list" },
    ],
    [
      "too many components",
      Array.from({ length: limits.catalogEntries }, (_, index) => entry(`c${index}`)),
      { limit: limits.catalogEntries },
    ],
    [
      "too many bytes",
      Array.from({ length: 10 }, (_, index) =>
        entry(`c${index}`, { props_schema: { description: "x".repeat(15_000) } }),
      ),
      { limit_bytes: limits.catalogBytes },
    ],
  ])("does not take %s, nor anything that came with it", async (_name, entries, details) => {
    const { host } = openTestHost({ catalog: [entry("card")] });
    const session = await create(host);
    const refusal = { error: { code: "invalid_catalog", details } };
    expect(await add(session, entry("good"), ...entries)).toMatchObject(refusal);
    expect(await host.create({ catalog: [entry("good"), ...entries] }, admin)).toMatchObject(
      refusal,
    );
    expect(session.control.catalog).toEqual([entry("card")]);
  });

  test("that cannot be used keeps a host from starting", () => {
    const catalog = [entry("card", { props_schema: { type: "array" } })];
    expect(() => openTestHost({ catalog })).toThrow(/catalog cannot be used.*card.*\/type/);
  });

  test("is the same after a restart, whatever the server has by then", async () => {
    const store = createMemoryStore();
    const first = openTestHost({ store, catalog: [entry("card")] });
    const session = await create(first.host);
    await add(session, entry("list"));
    await first.host.close();
    const second = openTestHost({ store, catalog: [entry("card", { surfaces: ["canvas"] })] });
    const opened = await second.host.open(session.id, admin);
    if (!opened.ok) throw new Error(opened.error.message);
    expect(opened.value.control.catalog).toEqual([entry("card"), entry("list")]);
    const copy = await opened.value.execute({ type: "fork" }, admin);
    if (!copy.ok || !copy.value.forked) throw new Error("no copy");
    const forked = await second.host.open(copy.value.forked.session_id, admin);
    expect(forked.ok && forked.value.control.catalog).toEqual([entry("card"), entry("list")]);
  });
});

describe("what an agent wants to show", () => {
  const wish = { name: "card", surface: "chat" } as const;

  test("is checked against the catalog, and the reason is for the model", async () => {
    const { run } = await playing([entry("card"), entry("list", { surfaces: ["canvas"] })]);
    const port = ui(run);
    expect(port.check({ ...wish, props: { title: "A" } })).toBeUndefined();
    expect(port.check({ ...wish, name: "map" })).toBe(
      "There is no component map. There are: card, list.",
    );
    expect(port.check({ ...wish, name: "list" })).toBe(
      "list cannot be shown in chat, only in: canvas.",
    );
    expect(port.check({ ...wish, props: { title: 7 } })).toContain("/title");
    expect(port.check({ ...wish, props: { title: "x".repeat(limits.propsBytes) } })).toContain(
      "bytes of JSON",
    );
    expect(port.check({ ...wish, component_id: "tool:1", props: { title: "A" } })).toContain(
      "not free",
    );
  });

  test("may be anything where there is no catalog", async () => {
    const { run } = await playing([]);
    expect(ui(run).check({ ...wish, name: "Anything At All", props: { a: [1] } })).toBeUndefined();
  });

  test("is checked as it would be after a merge or a patch", async () => {
    const { run } = await playing([entry("card")], shown("c1", { title: "A", rows: [1] }));
    const change = { ...wish, component_id: "c1" };
    const port = ui(run);
    expect(port.component("c1")).toMatchObject({ name: "card", props: { title: "A" } });
    expect(port.check({ ...change, props: { rows: [2] }, merge: true })).toBeUndefined();
    expect(port.check({ ...change, props: { rows: [2] } })).toContain("title");
    expect(port.check({ ...change, props: { rows: 2 }, merge: true })).toContain("/rows");
    const add2 = { op: "add", path: "/rows/-", value: 2 } as const;
    expect(port.check({ ...change, patches: [add2] })).toBeUndefined();
    expect(port.check({ ...change, patches: [{ op: "remove", path: "/title" }] })).toContain(
      "title",
    );
    expect(port.check({ ...change, patches: [{ op: "remove", path: "/none" }] })).toBe(
      "The patch does not apply: patch 0 (remove /none): there is nothing at /none.",
    );
    expect(port.check({ ...change, component_id: "c2", patches: [add2] })).toBe(
      "There is no component c2 to patch.",
    );
    expect(port.check({ ...change, patches: [{ op: "replace", path: "", value: 1 }] })).toContain(
      "leaves no object",
    );
    const large = { op: "add", path: "/title", value: "x".repeat(limits.propsPatchBytes) } as const;
    expect(port.check({ ...change, patches: [large] })).toContain("whole instead");
  });

  test("and is stored beside the log can be replaced, but not changed in part", async () => {
    const rows = Array.from({ length: 60_000 }, (_, index) => index);
    const { run, session } = await playing([entry("card")], shown("c1", { title: "A", rows }));
    const update = (await readAll(session.log)).find(({ type }) => type === "component_update");
    expect(update?.attachments).toHaveLength(1);
    const change = { ...wish, component_id: "c1" };
    const port = ui(run);
    const remove = { op: "remove", path: "/rows/0" } as const;
    expect(port.check({ ...change, patches: [remove] })).toContain("send them whole");
    expect(port.check({ ...change, props: { title: "B" }, merge: true })).toContain("whole");
    expect(port.check({ ...change, props: { title: "B" } })).toBeUndefined();
  });

  test("is too much beyond ten thousand components", async () => {
    const many = Array.from({ length: limits.components }, (_, index) =>
      shown(`c${index}`, { title: "A" }, { surface: "sidebar" }),
    );
    const { run, session } = await playing([entry("card")], ...many);
    const port = ui(run);
    const title = { props: { title: "A" } };
    expect(port.check({ ...wish, ...title })).toContain("remove some first");
    expect(port.check({ ...wish, ...title, component_id: "c9999" })).toBeUndefined();
    const { state } = await session.snapshot();
    expect(state.surfaces.sidebar).toHaveLength(limits.components);
    await tell(session, run, draft("component_remove", { component_id: "c0" }));
    expect(port.check({ ...wish, ...title })).toBeUndefined();
  });

  test("is known again after a restart, and after retention has removed its events", async () => {
    const store = createMemoryStore();
    const first = openTestHost({ store, retainEvents: 8 });
    const session = await create(first.host, { catalog: [entry("card")] });
    await say(session, "go");
    const run = await first.runtime.run();
    await run.wasAsked("send");
    const inside = { subagent_id: "s1" };
    await tell(
      session,
      run,
      shown("c1", { title: "A" }),
      { ...shown("c2", { title: "B" }), ...inside },
      shown("c3", { title: "C" }, { surface: "sidebar" }),
    );
    for (let count = 0; count < 12; count++) await tell(session, run);
    await first.host.close();
    const second = openTestHost({ store });
    const opened = await second.host.open(session.id, admin);
    if (!opened.ok) throw new Error(opened.error.message);
    expect(opened.value.log.oldest).toBeGreaterThan(5);
    await say(opened.value, "again");
    const port = ui(await second.runtime.run());
    expect(["c1", "c2", "c3", "c4"].map((id) => port.component(id)?.props["title"])).toEqual([
      "A",
      "B",
      "C",
      undefined,
    ]);
  });
});

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
    await tell(session, run, draft("component_remove", { component_id: "c1" }));
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

    test("is kept where the session is loaded anew", async () => {
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
