import { setImmediate as nextTick } from "node:timers/promises";
import { draft } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { RuntimeError } from "@turnwire/runtime";
import { eventOf, readAll } from "../test-support/log-reader.ts";
import { eventually, gate, playTurn, reopen, say } from "../test-support/played-session.ts";
import { admin, createTestSession, openTestHost } from "../test-support/test-host.ts";
import type { Session } from "../2-session/session.ts";

async function lastTurn(session: Session): Promise<string | undefined> {
  const events = await readAll(session.log);
  return events.findLast((event) => event.type === "done")?.turn_id;
}

describe("a copy", () => {
  test("whose making fails is not there, and takes no messages meanwhile", async () => {
    const { host, runtime, store } = openTestHost();
    const source = await createTestSession(host);
    await playTurn(source, runtime, "one");
    runtime.fork = async () => {
      throw new RuntimeError("resume_failed", "the transcript is gone");
    };
    expect(await source.execute({ type: "fork" }, admin)).toMatchObject({
      ok: false,
      error: { code: "runtime_unavailable", message: "the transcript is gone" },
    });
    const listed = await store.listSessions({ limit: 10 });
    expect(listed.map((record) => record.sessionId)).toEqual([source.id]);
    expect(await store.listSessions({ limit: 10, isPartial: true })).toEqual([]);
  });

  test("is listed only when it is whole, and its making asks the runtime only when it may be made", async () => {
    const { host, runtime, store } = openTestHost();
    const source = await createTestSession(host);
    await playTurn(source, runtime, "one");
    const copying = gate();
    const fork = runtime.fork.bind(runtime);
    let isAsked = false;
    runtime.fork = async (from) => {
      isAsked = true;
      await copying.opened;
      return fork(from);
    };
    const making = source.execute({ type: "fork" }, admin);
    await eventually(() => isAsked);
    expect(await store.listSessions({ limit: 10 })).toHaveLength(1);
    copying.open();
    expect(await making).toMatchObject({ ok: true });
    expect(await store.listSessions({ limit: 10 })).toHaveLength(2);
  });

  test("that a dead process left half made is removed at the next start", async () => {
    const { host, runtime, store, crash } = openTestHost();
    const source = await createTestSession(host);
    await playTurn(source, runtime, "one");
    runtime.fork = () => new Promise(() => undefined);
    const making = source.execute({ type: "fork" }, admin);
    making.catch(() => undefined);
    const half = async () => store.listSessions({ limit: 10, isPartial: true });
    while ((await half()).length === 0) await nextTick();
    await crash();
    const next = openTestHost({ store });
    await next.host.recover();
    expect(await half()).toEqual([]);
  });

  test("starts without what was allowed for the whole session", async () => {
    const { host, runtime } = openTestHost();
    const source = await createTestSession(host);
    const granted = { grant_id: "g1", tool_name: "Bash", permission: { rule: "npm test" } };
    const said = await say(source, "one");
    const { run, turnId } = await runtime.sent(said.ok ? said.value.messageId : "");
    run.say(draft("session_updated", { provider_session_id: "provider-1" }));
    await source.record([draft("permission_granted", granted, { turn_id: turnId })]);
    run.finish(turnId);
    await eventOf(source.log, "done");
    const copied = await source.execute({ type: "fork" }, admin);
    const copy = await reopen(host, copied.ok ? (copied.value.forked?.session_id ?? "") : "");
    await copy.wake();
    expect(source.control.session.grants).toMatchObject([granted]);
    expect(copy.control.session.grants).toBeUndefined();
    expect((await runtime.run(1)).options.grants).toBeUndefined();
  });

  test("takes along the shared state that was set between turns", async () => {
    const { host, runtime } = openTestHost();
    const source = await createTestSession(host);
    const patch = (path: string, value: number) =>
      source.execute({ type: "state_patch", patches: [{ op: "add", path, value }] }, admin);
    await patch("", 0);
    await playTurn(source, runtime, "one");
    await source.execute(
      { type: "state_patch", patches: [{ op: "replace", path: "", value: { n: 2 } }] },
      admin,
    );
    const copied = await source.execute({ type: "fork" }, admin);
    const id = copied.ok ? (copied.value.forked?.session_id ?? "") : "";
    expect((await reopen(host, id)).control.shared).toEqual({ n: 2 });
  });

  test("takes along a shared state that is larger than an event", async () => {
    const { host, runtime } = openTestHost();
    const source = await createTestSession(host);
    const shared = {
      "a/b~c": Array.from({ length: 5 }, (_, row) => ({ row, text: String(row).repeat(60_000) })),
      note: "x".repeat(200_000),
      empty: {},
      nothing: null,
    };
    await playTurn(source, runtime, "one", [
      draft("state_snapshot", { state: {} }),
      draft("state_delta", { patches: [{ op: "add", path: "/note", value: shared.note }] }),
      draft("state_delta", { patches: [{ op: "add", path: "/empty", value: {} }] }),
      draft("state_delta", { patches: [{ op: "add", path: "/nothing", value: null }] }),
      draft("state_delta", { patches: [{ op: "add", path: "/a~1b~0c", value: [] }] }),
      ...shared["a/b~c"].map((value) =>
        draft("state_delta", { patches: [{ op: "add", path: "/a~1b~0c/-", value }] }),
      ),
    ]);
    expect(source.control.shared).toEqual(shared);
    const copied = await source.execute({ type: "fork" }, admin);
    const id = copied.ok ? (copied.value.forked?.session_id ?? "") : "";
    const copy = await reopen(host, id);
    expect(copy.control.shared).toEqual(shared);
    expect((await readAll(copy.log)).map(({ type }) => type)).not.toContain("native");
  });

  test("of a session that was trimmed shows all of it, and is cut at the right turn", async () => {
    const { host, runtime, store } = openTestHost({ retainEvents: 8 });
    const source = await createTestSession(host);
    for (const text of ["one", "two", "three", "four"]) await playTurn(source, runtime, text);
    await eventually(() => source.log.oldest > 4);
    const copied = await source.execute({ type: "fork" }, admin);
    const id = copied.ok ? (copied.value.forked?.session_id ?? "") : "";
    const copy = await reopen(host, id);
    const texts = async (session: Session) =>
      (await session.snapshot()).state.messages.flatMap((message) =>
        message.role === "user" ? [message.content] : [],
      );
    expect(await texts(copy)).toEqual(await texts(source));
    expect(copy.control.session.provider_session_id).toBe("fork-of-4");
    expect((await store.getSession(id))?.isPartial).toBeUndefined();
    const rolledBack = await source.execute(
      { type: "rollback", turn_id: (await lastTurn(source)) ?? "" },
      admin,
    );
    expect(rolledBack).toMatchObject({ ok: true });
    const asked = runtime.runs.flatMap((run) => run.asked);
    expect(asked.find(({ type }) => type === "rollback")).toMatchObject({ turnIndex: 3 });
  });
});
