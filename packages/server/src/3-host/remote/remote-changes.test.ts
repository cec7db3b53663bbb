import { createMemoryStore, type StoreHint } from "@turnwire/log";
import { describe, expect, test } from "vitest";
import { interceptStore } from "../../../../log/src/test-support/intercepted-store.ts";
import { ManualClock } from "../../../../base/src/test-support/manual-clock.ts";
import { admin, createTestSession } from "../../test-support/test-host.ts";
import { openTestHosts } from "../../test-support/test-hosts.ts";
import type { SessionChange } from "@turnwire/wire";
import type { SessionHost } from "../session-host.ts";

/** What a host reports to those who watch its list. */
function watched(host: SessionHost) {
  const changes: SessionChange[] = [];
  let missed = 0;
  let look: () => void = () => undefined;
  host.changes.subscribe({
    onChange: (change) => {
      changes.push(change);
      look();
    },
    onMissed: () => {
      missed += 1;
    },
    onEnd: () => undefined,
  });
  const until = (count: number) =>
    new Promise<void>((resolve) => {
      look = () => {
        if (changes.length >= count) resolve();
      };
      look();
    });
  return { changes, until, missedCount: () => missed };
}

describe("those who watch the list of a host", () => {
  test("learn what other hosts do to sessions, as those report it", async () => {
    const { first, second } = openTestHosts();
    const own = watched(first.host);
    const other = watched(second.host);
    const session = await createTestSession(first.host);
    await Promise.all([own.until(1), other.until(1)]);
    await first.host.delete(session.id, admin);
    await Promise.all([own.until(2), other.until(2)]);
    expect(other.changes).toEqual(own.changes);
    expect(other.changes.map(({ type }) => type)).toEqual(["changed", "removed"]);
  });

  test("learn of a session of another host at most once in 250 ms, and then what is true", async () => {
    const { first, second, clock } = openTestHosts();
    const { changes, until } = watched(second.host);
    const session = await createTestSession(first.host);
    await until(1);
    for (const title of ["a", "b", "c"]) await session.execute({ type: "rename", title }, admin);
    expect(changes).toHaveLength(1);
    await clock.advance(250);
    await until(2);
    expect(changes.at(-1)).toMatchObject({ info: { title: "c" } });
  });

  test("learn of a session of this host once, not again from the store", async () => {
    const { first, clock } = openTestHosts();
    const { changes } = watched(first.host);
    const session = await createTestSession(first.host);
    await session.execute({ type: "rename", title: "a" }, admin);
    for (let index = 0; index < 4; index += 1) await clock.advance(250);
    expect(changes).toHaveLength(2);
  });

  test("learn that they may have missed something when hints were lost", async () => {
    const clock = new ManualClock();
    const store = createMemoryStore({ clock, isShared: true });
    const watchers: ((hint: StoreHint) => void)[] = [];
    const { open } = openTestHosts({ store, clock });
    const { host } = open({
      store: interceptStore(store, {
        watch: (onHint) => {
          watchers.push(onHint);
          return () => undefined;
        },
      }),
    });
    const { missedCount } = watched(host);
    for (const watcher of watchers) watcher({ type: "gap" });
    expect(missedCount()).toBe(1);
  });
});
