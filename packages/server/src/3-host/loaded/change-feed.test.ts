import { draft } from "@turnwire/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { admin, createTestSession, openTestHost } from "../../test-support/test-host.ts";
import type { SessionChange } from "@turnwire/wire";
import type { Session } from "../../2-session/session.ts";

/** A host whose changes are listened to. */
function openWatchedHost() {
  const opened = openTestHost();
  const changes: SessionChange[] = [];
  let ends = 0;
  const leave = opened.host.changes.subscribe({
    onChange: (change) => changes.push(change),
    onMissed: () => undefined,
    onEnd: () => {
      ends += 1;
    },
  });
  onTestFinished(() => opened.host.close());
  return { ...opened, changes, leave, endCount: () => ends };
}

async function rename(session: Session, title: string): Promise<void> {
  const renamed = await session.execute({ type: "rename", title }, admin);
  if (!renamed.ok) throw new Error(renamed.error.message);
}

function titlesOf(changes: readonly SessionChange[]): (string | undefined)[] {
  return changes.map((change) => (change.type === "changed" ? change.info.title : change.type));
}

describe("the feed of changes", () => {
  test("reports a new session at once, with its owner", async () => {
    const { host, changes } = openWatchedHost();
    const session = await createTestSession(host);
    expect(changes).toEqual([{ type: "changed", owner: "admin", info: session.info() }]);
  });

  test("reports a session at most once in 250 ms, and then what is true", async () => {
    const { host, changes, clock } = openWatchedHost();
    const session = await createTestSession(host);
    for (const title of ["a", "b", "c"]) await rename(session, title);
    expect(changes).toHaveLength(1);
    await clock.advance(249);
    expect(changes).toHaveLength(1);
    await clock.advance(1);
    expect(titlesOf(changes)).toEqual([undefined, "c"]);
    await rename(session, "d");
    expect(changes).toHaveLength(2);
    await clock.advance(250);
    expect(titlesOf(changes)).toEqual([undefined, "c", "d"]);
    await clock.advance(250);
    await rename(session, "e");
    expect(titlesOf(changes).at(-1)).toBe("e");
  });

  test("does not hold one session back for another", async () => {
    const { host, changes } = openWatchedHost();
    const first = await createTestSession(host);
    const second = await createTestSession(host);
    expect(changes).toMatchObject([
      { info: { session_id: first.id } },
      { info: { session_id: second.id } },
    ]);
  });

  test("has nothing to say of text that streams", async () => {
    const { host, changes, clock } = openWatchedHost();
    const session = await createTestSession(host);
    await clock.advance(250);
    await session.record([draft("delta", { message_id: "m", text: "streaming" })]);
    await clock.advance(250);
    expect(changes).toHaveLength(1);
  });

  test("reports that a deleted session is gone, as the last word on it", async () => {
    const { host, changes, clock } = openWatchedHost();
    const session = await createTestSession(host);
    await rename(session, "soon gone");
    await host.delete(session.id, admin);
    await clock.advance(1_000);
    expect(changes.at(-1)).toEqual({ type: "removed", owner: "admin", sessionId: session.id });
    expect(changes.filter(({ type }) => type === "removed")).toHaveLength(1);
  });

  test("ends with the host, after what was left to report", async () => {
    const { host, changes, endCount } = openWatchedHost();
    const session = await createTestSession(host);
    await rename(session, "last words");
    await host.close();
    expect(titlesOf(changes).at(-1)).toBe("last words");
    expect(endCount()).toBe(1);
  });

  test("does nothing without listeners", async () => {
    const { host, changes, leave, clock } = openWatchedHost();
    const session = await createTestSession(host);
    await rename(session, "unheard");
    leave();
    await clock.advance(250);
    await rename(session, "unheard too");
    expect(changes).toHaveLength(1);
    expect(host.changes.listenerCount).toBe(0);
  });
});
