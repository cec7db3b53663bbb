import { describe, expect, test } from "vitest";
import { createTestSession } from "../../test-support/test-host.ts";
import { openTestHosts } from "../../test-support/test-hosts.ts";
import type { SessionHost } from "../session-host.ts";

const alice = { id: "alice", isAdmin: false };
const bob = { id: "bob", isAdmin: false };

/** Everything by which somebody can come to a session. */
async function answersTo(host: SessionHost, sessionId: string) {
  const answers = [
    await host.open(sessionId, bob),
    await host.openOrRead(sessionId, bob),
    await host.delete(sessionId, bob),
  ];
  const { sessions } = await host.list({ principal: bob, limit: 10 });
  return JSON.stringify([answers, sessions]).replaceAll(sessionId, "ID");
}

describe("somebody else's session is answered like one that does not exist", () => {
  test("by the host that runs it, by one that follows it, and by one that never heard of it", async () => {
    const { first, second, open } = openTestHosts();
    const third = open();
    const session = await createTestSession(first.host, alice);
    expect(await second.host.openOrRead(session.id, alice)).toMatchObject({ ok: true });
    const unknown = await answersTo(first.host, "unknown");
    for (const { host } of [first, second, third]) {
      expect(await answersTo(host, session.id)).toBe(unknown);
    }
    expect(session.acceptsCommands).toBe(true);
  });

  test("while its host drains, and when another has taken it over from one that is lost", async () => {
    const { first, second, clock } = openTestHosts();
    const session = await createTestSession(first.host, alice);
    const unknown = await answersTo(first.host, "unknown");
    const said = await session.execute({ type: "user_message", content: "hello" }, alice);
    if (!said.ok) throw new Error(said.error.message);
    await first.runtime.sent(said.value.messageId);
    const drained = first.host.drain({ limitMs: 5_000 });
    for (const { host } of [first, second]) {
      expect(await answersTo(host, session.id)).toBe(unknown);
    }
    for (let passed = 0; passed < 6_000; passed += 100) await clock.advance(100);
    await drained;
    await first.crash();
    const taken = await second.host.openOrRead(session.id, alice);
    expect(taken).toMatchObject({ ok: true });
    expect(await answersTo(second.host, session.id)).toBe(unknown);
    expect(await second.host.delete(session.id, alice)).toEqual({ ok: true });
  });
});
