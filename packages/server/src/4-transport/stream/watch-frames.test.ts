import type { SessionInfo, SessionList } from "@turnwire/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { ChangeFeed } from "../../3-host/loaded/change-feed.ts";
import type { Encoding } from "@turnwire/wire";
import { ManualClock } from "../../../../base/src/test-support/manual-clock.ts";
import { WatchFrames } from "./watch-frames.ts";

const lines: Encoding = {
  name: "lines",
  encode: (_seq, { data }) => Buffer.from(`${data}\n`),
};

function infoOf(sessionId: string, head: number): SessionInfo {
  const at = "2026-11-15T09:00:00.000Z";
  return {
    session_id: sessionId,
    protocol_version: "1.0",
    runtime: "demo",
    status: "live",
    activity: "idle",
    created_at: at,
    updated_at: at,
    head,
    epoch: "e",
  };
}

function setUp() {
  const clock = new ManualClock();
  const changes = new ChangeFeed(clock);
  const principal = { id: "anna", isAdmin: false };
  const frames = new WatchFrames({ changes, query: { principal, limit: 50 }, encoding: lines });
  onTestFinished(() => frames.release());
  let position = 0;
  return {
    frames,
    changes,
    /** A session changes, and the pause after it passes. */
    change: async (sessionId: string, head: number): Promise<void> => {
      changes.changed({ id: sessionId, owner: "anna", info: () => infoOf(sessionId, head) });
      await clock.advance(250);
    },
    begin: (...sessions: SessionList["sessions"]) => frames.begin({ sessions }),
    read: (): unknown[] => {
      const read = frames.after(position);
      if (read.type !== "frames") return [];
      position = read.last;
      return read.bytes
        .toString()
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    },
  };
}

describe("what a watcher has not received", () => {
  test("is the newest word on each session, however often it changed", async () => {
    const { begin, read, change } = setUp();
    begin();
    expect(read()).toEqual([{ type: "sessions", sessions: [] }]);
    for (let head = 1; head <= 500; head++) {
      await change("a", head);
      await change("b", head);
    }
    expect(read()).toEqual([
      { type: "session_changed", session: infoOf("a", 500) },
      { type: "session_changed", session: infoOf("b", 500) },
    ]);
    expect(read()).toEqual([]);
  });

  test("is nothing before the list is there", async () => {
    const { begin, read, change } = setUp();
    await change("a", 1);
    expect(read()).toEqual([]);
    begin();
    expect(read()).toMatchObject([{ type: "sessions" }, { type: "session_changed" }]);
  });

  test("does not have what the list has already", async () => {
    const { begin, read, change } = setUp();
    await change("a", 3);
    await change("b", 9);
    begin(infoOf("a", 3), infoOf("b", 8));
    expect(read()).toMatchObject([
      { type: "sessions" },
      { type: "session_changed", session: { session_id: "b", head: 9 } },
    ]);
  });

  test("of a session that is gone, is only that", async () => {
    const { begin, read, change, changes } = setUp();
    begin();
    read();
    await change("a", 1);
    changes.removed({ id: "a", owner: "anna" });
    expect(read()).toEqual([{ type: "session_removed", session_id: "a" }]);
  });

  test("comes in portions, none of it twice", async () => {
    const { begin, read, change } = setUp();
    begin();
    read();
    for (let index = 0; index < 600; index++) await change(`s${index}`, 1);
    const portions = Array.from({ length: 5 }, () => read());
    for (const portion of portions) {
      expect(JSON.stringify(portion).length).toBeLessThanOrEqual(64 * 1024);
    }
    expect(portions.flat()).toHaveLength(600);
    expect(portions.map((portion) => portion.length > 0)).toEqual([true, true, true, false, false]);
  });
});
