import { createMemoryStore } from "@turnwire/log";
import { draft } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { eventOf } from "../test-support/log-reader.ts";
import { playTurn, reopen, say } from "../test-support/played-session.ts";
import { admin, createTestSession, openTestHost } from "../test-support/test-host.ts";
import type { SessionHost } from "./session-host.ts";

async function listed(host: SessionHost) {
  const { sessions } = await host.list({ principal: admin, limit: 10 });
  return sessions.map(({ session_id, updated_at }) => ({ session_id, updated_at }));
}

/** Three sessions, a minute apart, each with a turn. */
async function playThree(store = createMemoryStore()) {
  const opened = openTestHost({ store, idleMs: 3_600_000 });
  const { host, runtime, clock } = opened;
  const sessions = [];
  for (const text of ["one", "two", "three"]) {
    await clock.advance(60_000);
    const session = await createTestSession(host);
    await playTurn(session, runtime, text);
    sessions.push(session);
  }
  return { ...opened, store, sessions };
}

test("hibernation, waking and settings leave a session's place in the list", async () => {
  const { host, clock, sessions } = await playThree();
  const before = await listed(host);
  const [oldest] = sessions;
  if (!oldest) throw new Error("no session");
  await clock.advance(60_000);
  await oldest.hibernate();
  expect(await listed(host)).toEqual(before);
  const woken = await reopen(host, oldest.id);
  await woken.wake();
  await woken.execute({ type: "rename", title: "Renamed" }, admin);
  expect(await listed(host)).toEqual(before);
  expect(woken.info().updated_at).toBe(before.at(-1)?.updated_at);
});

test("a restart leaves the order, also after a crash in the middle of turns and requests", async () => {
  const { store, host, sessions, runtime, clock, crash } = await playThree();
  const [oldest] = sessions;
  if (!oldest) throw new Error("no session");
  await clock.advance(60_000);
  const said = await say(oldest, "and then?");
  if (!said.ok) throw new Error(said.error.message);
  const { run } = await runtime.sent(said.value.messageId);
  run.say(draft("permission_request", { correlation_id: "p1", tool_name: "Bash", tool_input: {} }));
  await eventOf(oldest.log, "permission_request");
  const before = await listed(host);
  expect(before[0]?.session_id).toBe(oldest.id);
  // The process is gone; another one finds what it left, an hour later.
  await crash();
  const next = openTestHost({ store });
  next.clock.step(clock.now() - next.clock.now() + 3_600_000);
  await next.host.recover();
  const settled = await reopen(next.host, oldest.id);
  await eventOf(settled.log, "done");
  expect(settled.info()).toMatchObject({ status: "hibernated", activity: "idle" });
  expect(await listed(next.host)).toEqual(before);
});

test("what a person or an agent does brings a session to the top", async () => {
  const { host, runtime, sessions, clock } = await playThree();
  const [oldest] = sessions;
  if (!oldest) throw new Error("no session");
  await clock.advance(60_000);
  await playTurn(oldest, runtime, "again");
  expect((await listed(host))[0]).toEqual({
    session_id: oldest.id,
    updated_at: new Date(clock.now()).toISOString(),
  });
});

test("pages follow each other without loss or repeat while sessions fall asleep between them", async () => {
  const { host, sessions, clock } = await playThree();
  const seen: string[] = [];
  let after: { updated_at: string; session_id: string } | undefined;
  for (const session of sessions) {
    const page = await host.list({ principal: admin, limit: 1, ...(after && { after }) });
    const [only] = page.sessions;
    if (!only) throw new Error("no page");
    seen.push(only.session_id);
    after = only;
    await clock.advance(1000);
    await session.hibernate();
  }
  expect(seen).toEqual(sessions.map(({ id }) => id).toReversed());
});

test("a session that was rolled back to nothing is not live after a crash", async () => {
  const store = createMemoryStore();
  const { host, runtime, crash } = openTestHost({ store });
  const session = await createTestSession(host);
  const turnId = await playTurn(session, runtime, "one");
  const rolledBack = await session.execute({ type: "rollback", turn_id: turnId }, admin);
  expect(rolledBack.ok).toBe(true);
  await crash();
  const next = openTestHost({ store });
  await next.host.recover();
  expect((await reopen(next.host, session.id)).info().status).toBe("hibernated");
  const { sessions } = await next.host.list({ principal: admin, limit: 10, status: "live" });
  expect(sessions).toEqual([]);
});
