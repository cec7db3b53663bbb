import { describe, expect, test } from "vitest";
import { askPermission } from "../../test-support/asked-permission.ts";
import { endOf, eventOf, eventTypes, readAll } from "../../test-support/log-reader.ts";
import { admin, createTestSession } from "../../test-support/test-host.ts";
import { followedOn, hushed, openedOn, openTestHosts } from "../../test-support/test-hosts.ts";
import type { OpenSession } from "../../../../wire/src/open-session.ts";

const alice = { id: "alice", isAdmin: false };
const bob = { id: "bob", isAdmin: false };

describe("a command to a session that another host runs", () => {
  test("has its effect there and the answer of that host", async () => {
    const { first, second } = openTestHosts();
    const session = await createTestSession(first.host);
    const followed = await followedOn(second.host, session.id);
    const said = await followed.execute(
      { type: "user_message", content: "hello", client_message_id: "c1" },
      alice,
    );
    if (!said.ok) throw new Error(said.error.message);
    const { run, turnId } = await first.runtime.sent(said.value.messageId);
    run.finish(turnId);
    await eventOf(followed.log, "done");
    const message = (await readAll(followed.log)).find(({ type }) => type === "user_message");
    expect(message).toMatchObject({
      seq: said.value.seq,
      data: { message_id: said.value.messageId, by: "alice", client_message_id: "c1" },
    });
    const again = await followed.execute(
      { type: "user_message", content: "hello", client_message_id: "c1" },
      alice,
    );
    expect(again).toEqual({ ok: true, value: { ...said.value, duplicate: true } });
    expect(second.runtime.runs).toEqual([]);
  });

  test("is visible to whoever sent it as soon as it is answered", async () => {
    const { first, open, store } = openTestHosts();
    const session = await createTestSession(first.host);
    const deaf = open({ store: hushed(store, ({ type }) => type === "answer") });
    const followed = await followedOn(deaf.host, session.id);
    expect(await followed.update([{ type: "rename", title: "named" }], admin)).toMatchObject({
      ok: true,
    });
    expect(followed.info().title).toBe("named");
  });

  test("is refused there as that host refuses it", async () => {
    const { first, second } = openTestHosts();
    const session = await createTestSession(first.host);
    const followed = await followedOn(second.host, session.id);
    const commands = [
      { type: "user_message", content: "now", delivery: "steer" },
      { type: "permission_response", correlation_id: "none", behavior: "allow" },
      { type: "set_permission_mode", mode: "bypass" },
      { type: "rollback", turn_id: "none" },
      { type: "fork", turn_id: "none" },
    ] as const;
    for (const command of commands) {
      const here = await followed.execute(command, bob);
      expect(here.ok).toBe(false);
      expect(here).toEqual(await session.execute(command, bob));
    }
    expect(await eventTypes(session.log)).toEqual(["session_ready"]);
  });

  test("that changes several settings changes all or none", async () => {
    const { first, second } = openTestHosts();
    const session = await createTestSession(first.host);
    const followed = await followedOn(second.host, session.id);
    const rename = { type: "rename", title: "x" } as const;
    const refused = await followed.update(
      [rename, { type: "set_permission_mode", mode: "no such" }],
      admin,
    );
    expect(refused.ok).toBe(false);
    expect(await eventTypes(session.log)).toEqual(["session_ready"]);
    expect((await followed.update([rename, { type: "set_model", model: "m" }], admin)).ok).toBe(
      true,
    );
    expect(followed.info()).toMatchObject({ title: "x", model: "m" });
  });

  test("answers a permission once, however many hosts answer at the same instant", async () => {
    const { first, second, open } = openTestHosts();
    const third = open();
    const session = await createTestSession(first.host);
    await askPermission(session, first.runtime);
    const places: OpenSession[] = [
      await followedOn(second.host, session.id),
      await followedOn(third.host, session.id),
      session,
    ];
    const answer = { type: "permission_response", correlation_id: "ask-1" } as const;
    const answers = await Promise.all(
      places.map((place, index) =>
        place.execute({ ...answer, behavior: index === 1 ? "deny" : "allow" }, admin),
      ),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    const refusals = answers.flatMap((result) => (result.ok ? [] : [result.error.code]));
    expect(refusals).toEqual(["already_resolved", "already_resolved"]);
    const types = await eventTypes(session.log);
    expect(types.filter((type) => type === "permission_resolved")).toHaveLength(1);
  });

  test("is carried out in the order in which it was sent", async () => {
    const { first, second } = openTestHosts();
    const session = await createTestSession(first.host);
    const followed = await followedOn(second.host, session.id);
    const titles = Array.from({ length: 20 }, (_, index) => `title ${index}`);
    await Promise.all(titles.map((title) => followed.execute({ type: "rename", title }, admin)));
    const events = await readAll(session.log);
    const renamed = events.flatMap((event) =>
      event.type === "session_updated" ? [event.data.title] : [],
    );
    expect(renamed).toEqual(titles);
  });

  test("can take longer without holding up those after it", async () => {
    const { first, second } = openTestHosts();
    const session = await createTestSession(first.host);
    await askPermission(session, first.runtime);
    const run = await first.runtime.run();
    const { input } = await run.wasAsked("send");
    run.finish(input.turnId);
    await eventOf(session.log, "done");
    const followed = await followedOn(second.host, session.id);
    let release = (): void => undefined;
    run.compact = () =>
      new Promise((resolve) => {
        release = resolve;
      });
    const compacting = followed.execute({ type: "compact" }, admin);
    expect(await followed.execute({ type: "rename", title: "meanwhile" }, admin)).toMatchObject({
      ok: true,
    });
    release();
    expect(await compacting).toMatchObject({ ok: true });
  });

  test("can copy, roll back, instruct and wake it", async () => {
    const { first, second } = openTestHosts();
    const session = await createTestSession(first.host);
    const followed = await followedOn(second.host, session.id);
    const said = await followed.execute({ type: "user_message", content: "hello" }, admin);
    if (!said.ok) throw new Error(said.error.message);
    const { run, turnId } = await first.runtime.sent(said.value.messageId);
    run.finish(turnId);
    await eventOf(followed.log, "done");
    const copied = await followed.execute({ type: "fork" }, admin);
    if (!copied.ok || !copied.value.forked) throw new Error("no copy");
    const copy = await openedOn(second.host, copied.value.forked.session_id);
    expect((await eventTypes(copy.log)).filter((type) => type === "done")).toHaveLength(1);
    expect(await followed.execute({ type: "rollback", turn_id: turnId }, admin)).toMatchObject({
      ok: true,
    });
    expect((await eventTypes(followed.log)).at(-1)).toBe("rolled_back");
    expect(await followed.instruct("Be brief.", admin)).toEqual({ ok: true });
    expect(session.creation.system_prompt).toBe("Be brief.");
    const woken = await followed.wake();
    expect(woken).toMatchObject({ ok: true, value: { status: "live" } });
  });

  test("can delete it", async () => {
    const { first, second } = openTestHosts();
    const session = await createTestSession(first.host);
    const followed = await followedOn(second.host, session.id);
    const ended = endOf(followed.log);
    expect(await second.host.delete(session.id, admin)).toEqual({ ok: true });
    expect(await ended).toBe("closed");
    const gone = { ok: false, error: { code: "session_not_found" } };
    expect(await first.host.openOrRead(session.id, admin)).toMatchObject(gone);
    expect(await second.host.delete(session.id, admin)).toMatchObject(gone);
  });
});
