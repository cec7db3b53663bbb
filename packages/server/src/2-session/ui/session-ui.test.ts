import { type CatalogEntry, draft, limits } from "@turnwire/protocol";
import { createMemoryStore } from "@turnwire/log";
import { describe, expect, test } from "vitest";
import { readAll } from "../../test-support/log-reader.ts";
import type { ScriptedRun } from "../../test-support/scripted-runtime.ts";
import { admin, openTestHost } from "../../test-support/test-host.ts";
import type { Session } from "../session.ts";
import { createSession, emit, entry, playing, say, shown } from "./test-support/ui-session.ts";

function add(session: Session, ...entries: CatalogEntry[]) {
  return session.execute({ type: "add_to_catalog", entries }, admin);
}

function ui(run: ScriptedRun) {
  const { ui: port } = run.options;
  if (!port) throw new Error("the run has no UI");
  return port;
}

describe("the catalog of a session", () => {
  test("is the host's and its own, in the first event, and the agent sees it", async () => {
    const { host, runtime } = openTestHost({ catalog: [entry("card")] });
    const session = await createSession(host, { catalog: [entry("list"), entry("card")] });
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
    const session = await createSession(host);
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
    const session = await createSession(host, { catalog: [entry("card")] });
    const answers = await Promise.all([1, 2, 3].map(() => add(session, entry("list"))));
    expect(answers.every(({ ok }) => ok)).toBe(true);
    await add(session, entry("card"));
    expect((await readAll(session.log)).map(({ type }) => type)).toEqual([
      "session_ready",
      "catalog_updated",
    ]);
  });

  test("has its own component where the host offers another of that name, from the beginning or later", async () => {
    const { host } = openTestHost({ catalog: [entry("card"), entry("list")] });
    const own = entry("card", { description: "A card of its own.", surfaces: ["canvas"] });
    const first = await createSession(host, { catalog: [own] });
    expect(first.control.catalog).toEqual([own, entry("list")]);
    const second = await createSession(host);
    expect(await add(second, own)).toMatchObject({ ok: true });
    expect(second.control.catalog).toEqual([own, entry("list")]);
    // From now on it is the session's.
    expect(await add(second, entry("card"))).toMatchObject({ error: { code: "catalog_conflict" } });
  });

  test("does not take another component of a name that it has", async () => {
    const { host } = openTestHost();
    const other = entry("card", { description: "Another card." });
    const conflict = { error: { code: "catalog_conflict", details: { name: "card" } } };
    const session = await createSession(host, { catalog: [entry("card")] });
    expect(await add(session, other)).toMatchObject(conflict);
    expect(await add(session, entry("list"), entry("list", { surfaces: ["chat"] }))).toMatchObject({
      error: { code: "catalog_conflict", details: { name: "list" } },
    });
    expect(await host.create({ catalog: [other, entry("card")] }, admin)).toMatchObject(conflict);
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
    const session = await createSession(host);
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
    const session = await createSession(first.host);
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
    expect(await port.check({ ...wish, props: { title: "A" } })).toBeUndefined();
    expect(await port.check({ ...wish, name: "map" })).toBe(
      "There is no component map. There are: card, list.",
    );
    expect(await port.check({ ...wish, name: "list" })).toBe(
      "list cannot be shown in chat, only in: canvas.",
    );
    expect(await port.check({ ...wish, props: { title: 7 } })).toContain("/title");
    expect(
      await port.check({ ...wish, props: { title: "x".repeat(limits.propsBytes) } }),
    ).toContain("bytes of JSON");
    expect(await port.check({ ...wish, component_id: "tool:1", props: { title: "A" } })).toContain(
      "not free",
    );
  });

  test("may be anything where there is no catalog", async () => {
    const { run } = await playing([]);
    expect(
      await ui(run).check({ ...wish, name: "Anything At All", props: { a: [1] } }),
    ).toBeUndefined();
  });

  test("is checked as it would be after a merge or a patch", async () => {
    const { run } = await playing([entry("card")], shown("c1", { title: "A", rows: [1] }));
    const change = { ...wish, component_id: "c1" };
    const port = ui(run);
    expect(port.component("c1")).toMatchObject({ name: "card", props: { title: "A" } });
    expect(await port.check({ ...change, props: { rows: [2] }, merge: true })).toBeUndefined();
    expect(await port.check({ ...change, props: { rows: [2] } })).toContain("title");
    expect(await port.check({ ...change, props: { rows: 2 }, merge: true })).toContain("/rows");
    const add2 = { op: "add", path: "/rows/-", value: 2 } as const;
    expect(await port.check({ ...change, patches: [add2] })).toBeUndefined();
    expect(await port.check({ ...change, patches: [{ op: "remove", path: "/title" }] })).toContain(
      "title",
    );
    expect(await port.check({ ...change, patches: [{ op: "remove", path: "/none" }] })).toBe(
      "The patch does not apply: patch 0 (remove /none): there is nothing at /none.",
    );
    expect(await port.check({ ...change, component_id: "c2", patches: [add2] })).toBe(
      "There is no component c2 to patch.",
    );
    expect(
      await port.check({ ...change, patches: [{ op: "replace", path: "", value: 1 }] }),
    ).toContain("leaves no object");
    const large = { op: "add", path: "/title", value: "x".repeat(limits.propsPatchBytes) } as const;
    expect(await port.check({ ...change, patches: [large] })).toContain("whole instead");
  });

  test("and is stored beside the log can be replaced, but not changed in part", async () => {
    const rows = Array.from({ length: 60_000 }, (_, index) => index);
    const { run, session } = await playing([entry("card")], shown("c1", { title: "A", rows }));
    const update = (await readAll(session.log)).find(({ type }) => type === "component_update");
    expect(update?.attachments).toHaveLength(1);
    const change = { ...wish, component_id: "c1" };
    const port = ui(run);
    const remove = { op: "remove", path: "/rows/0" } as const;
    expect(await port.check({ ...change, patches: [remove] })).toContain("send them whole");
    expect(await port.check({ ...change, props: { title: "B" }, merge: true })).toContain("whole");
    expect(await port.check({ ...change, props: { title: "B" } })).toBeUndefined();
  });

  test("is too much beyond ten thousand components", async () => {
    const many = Array.from({ length: limits.components }, (_, index) =>
      shown(`c${index}`, { title: "A" }, { surface: "sidebar" }),
    );
    const { run, session } = await playing([entry("card")], ...many);
    const port = ui(run);
    const title = { props: { title: "A" } };
    expect(await port.check({ ...wish, ...title })).toContain("remove some first");
    expect(await port.check({ ...wish, ...title, component_id: "c9999" })).toBeUndefined();
    const { state } = await session.snapshot();
    expect(state.surfaces.sidebar).toHaveLength(limits.components);
    await emit(session, run, draft("component_remove", { component_id: "c0" }));
    expect(await port.check({ ...wish, ...title })).toBeUndefined();
  });

  test("is known again after a restart, and after retention has removed its events", async () => {
    const store = createMemoryStore();
    const first = openTestHost({ store, retainEvents: 8 });
    const session = await createSession(first.host, { catalog: [entry("card")] });
    await say(session, "go");
    const run = await first.runtime.run();
    await run.wasAsked("send");
    const inside = { subagent_id: "s1" };
    await emit(
      session,
      run,
      shown("c1", { title: "A" }),
      { ...shown("c2", { title: "B" }), ...inside },
      shown("c3", { title: "C" }, { surface: "sidebar" }),
    );
    for (let count = 0; count < 12; count++) await emit(session, run);
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
