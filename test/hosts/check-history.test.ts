import {
  draft,
  type EventDraft,
  foldAll,
  initialState,
  noCapabilities,
  type SessionEvent,
} from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { checkHistory } from "./check-history.ts";
import { hashOf } from "./hash.ts";
import type { Fault, HistoryEntry, Received } from "./history.ts";

const sessionId = "s";
const takeoverMs = 3_000;
const content = [{ type: "text" as const, text: "hi" }];

/** A session with two messages: one turn with a permission, one that a lost host left open. */
const drafts: readonly EventDraft[] = [
  draft("session_ready", {
    session_id: sessionId,
    protocol_version: "1.0",
    runtime: "demo",
    resumed: false,
    cwd: "/work",
    capabilities: noCapabilities,
  }),
  draft("user_message", {
    message_id: "m1",
    client_message_id: "c1",
    content,
    delivery: "turn",
  }),
  draft("turn_started", { turn_id: "t1", message_id: "m1" }),
  draft(
    "permission_request",
    { correlation_id: "p1", tool_name: "Bash", tool_input: {} },
    { turn_id: "t1" },
  ),
  draft(
    "permission_resolved",
    { correlation_id: "p1", tool_name: "Bash", outcome: "answered", allowed: true },
    { turn_id: "t1" },
  ),
  draft("done", { turn_id: "t1" }, { turn_id: "t1" }),
  draft("user_message", {
    message_id: "m2",
    client_message_id: "c2",
    content,
    delivery: "turn",
  }),
  draft("turn_started", { turn_id: "t2", message_id: "m2" }),
  draft("done", { turn_id: "t2" }, { turn_id: "t2" }),
];

const startedAt = Date.parse("2026-11-16T09:00:00.000Z");

/** Each is written when its reader gets it. */
function eventsFrom(list: readonly EventDraft[]): SessionEvent[] {
  return list.map((one, index) => ({
    seq: index + 1,
    ts: new Date(startedAt + (index + 1) * 100).toISOString(),
    ...one,
  }));
}

function textsFrom(list: readonly EventDraft[]): string[] {
  return eventsFrom(list).map((event) => JSON.stringify(event));
}

const texts = textsFrom(drafts);

function received(seq: number, change: Partial<Received> = {}): Received {
  return {
    type: "received",
    atMs: seq * 100,
    client: "reader",
    connection: seq <= 4 ? 1 : 2,
    sessionId,
    seq,
    hash: hashOf(texts[seq - 1] ?? ""),
    ...(seq === 6 && { endedTurn: "t1" }),
    ...(seq === 9 && { endedTurn: "t2" }),
    ...change,
  };
}

function connected(connection: number, after: number): HistoryEntry {
  return {
    type: "connected",
    atMs: after * 100,
    client: "reader",
    connection,
    host: "a",
    sessionId,
    after,
  };
}

const message = (operation: string, clientMessageId: string): HistoryEntry => ({
  type: "sent",
  atMs: 0,
  operation,
  host: "a",
  sessionId,
  input: { kind: "message", clientMessageId },
});

const answer = (operation: string, isAllowed = true): HistoryEntry => ({
  type: "sent",
  atMs: 0,
  operation,
  host: "b",
  sessionId,
  input: { kind: "answer", correlationId: "p1", isAllowed },
});

const answered = (operation: string, status: number, code?: string): HistoryEntry => ({
  type: "answered",
  atMs: 10,
  operation,
  status,
  ...(code !== undefined && { code }),
});

const kill: Fault = {
  type: "fault",
  atMs: 850,
  fault: 1,
  kind: "kill",
  host: "a",
  openTurns: [{ sessionId, turnId: "t2" }],
};

const operations: readonly HistoryEntry[] = [
  message("1", "c1"),
  answered("1", 200),
  answer("2"),
  answer("3", false),
  answered("2", 200),
  answered("3", 409, "already_resolved"),
  message("4", "c2"),
  answered("4", 0),
  message("5", "c2"),
  answered("5", 202),
];

const reading: readonly HistoryEntry[] = [
  connected(1, 0),
  ...[1, 2, 3, 4].map((seq) => received(seq)),
  connected(2, 4),
  ...[5, 6, 7, 8, 9].map((seq) => received(seq)),
];

function finalLog(source: string, events: readonly string[] = texts): HistoryEntry {
  return { type: "final_log", atMs: 2_000, source, sessionId, events };
}

function folded(list: readonly EventDraft[]): HistoryEntry {
  const state = foldAll(initialState(), eventsFrom(list));
  const hash = hashOf(JSON.stringify(state));
  return { type: "folded", atMs: 2_000, client: "app", sessionId, seq: list.length, hash };
}

const ends: readonly HistoryEntry[] = [finalLog("store"), finalLog("b"), folded(drafts)];

function brokenIn(history: readonly HistoryEntry[]): string[] {
  const findings = checkHistory(history, { takeoverMs });
  return [...new Set(findings.map(({ broken }) => broken))].toSorted();
}

/** The whole history with other reading. */
function readingSeqs(...entries: readonly HistoryEntry[]): HistoryEntry[] {
  return [...operations, connected(1, 0), ...entries, kill, ...ends];
}

/** The whole history with another log, which its readers saw as it is. */
function withLog(list: readonly EventDraft[]): HistoryEntry[] {
  const own = textsFrom(list);
  const seen = own.map((text, index) => received(index + 1, { hash: hashOf(text) }));
  return [...operations, connected(1, 0), ...seen, kill, finalLog("store", own)];
}

describe("checkHistory", () => {
  test("finds nothing in a good history", () => {
    expect(checkHistory([...operations, ...reading, kill, ...ends], { takeoverMs })).toEqual([]);
  });

  test("finds an event that a reader never got, in the middle, at the start and at the end", () => {
    const all = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    const without = (lost: number): HistoryEntry[] =>
      readingSeqs(...all.filter((seq) => seq !== lost).map((seq) => received(seq)));
    expect(brokenIn(without(4))).toEqual(["lost"]);
    expect(brokenIn(without(1))).toEqual(["lost"]);
    expect(brokenIn(without(9))).toContain("unfinished");
  });

  test("finds an event that a reader got twice, on one connection or after it came back", () => {
    expect(
      brokenIn(readingSeqs(...[1, 2, 3, 3, 4, 5, 6, 7, 8, 9].map((seq) => received(seq)))),
    ).toEqual(["doubled"]);
    expect(
      brokenIn([
        ...operations,
        connected(1, 0),
        ...[1, 2, 3, 4].map((seq) => received(seq)),
        connected(2, 4),
        ...[4, 5, 6, 7, 8, 9].map((seq) => received(seq)),
        kill,
        ...ends,
      ]),
    ).toEqual(["doubled"]);
  });

  test("finds events out of order", () => {
    const seqs = [1, 2, 4, 3, 5, 6, 7, 8, 9];
    expect(brokenIn(readingSeqs(...seqs.map((seq) => received(seq))))).toContain("reordered");
  });

  test("finds other bytes at a reader, an event that no log has, another log on a host and another state in an app", () => {
    const changed = reading.map((entry) =>
      entry.type === "received" && entry.seq === 7 ? { ...entry, hash: "other" } : entry,
    );
    expect(brokenIn([...operations, ...changed, kill, ...ends])).toEqual(["divergent"]);
    const beyond = [...reading, received(10)];
    expect(brokenIn([...operations, ...beyond, kill, ...ends])).toEqual(["divergent"]);
    const elsewhere = finalLog("c", texts.slice(0, 8));
    expect(brokenIn([...operations, ...reading, kill, ...ends, elsewhere])).toEqual(["divergent"]);
    const state = { ...folded(drafts), seq: 8 };
    expect(brokenIn([...operations, ...reading, kill, ...ends, state])).toEqual(["divergent"]);
  });

  test("finds a log with a gap", () => {
    const events = texts.toSpliced(3, 1);
    const history = [...operations, kill, finalLog("store", events)];
    expect(brokenIn(history)).toContain("malformed_log");
  });

  test("finds an acknowledged message that is in no log, also one that was kept for the owner", () => {
    const good = [...operations, ...reading, kill, ...ends];
    expect(brokenIn([...good, message("6", "c3"), answered("6", 200)])).toEqual([
      "ack_without_effect",
    ]);
    const pending = { ...answered("6", 202), isPending: true };
    expect(brokenIn([...good, message("6", "c3"), pending])).toEqual(["ack_without_effect"]);
    expect(brokenIn([...good, message("6", "c3"), answered("6", 503, "shutting_down")])).toEqual(
      [],
    );
  });

  test("finds an acknowledged answer that was not what decided", () => {
    const history = [...reading, kill, ...ends, answer("7", false), answered("7", 200)];
    expect(brokenIn(history)).toEqual(["ack_without_effect"]);
    const pending = { ...answered("7", 202), isPending: true };
    expect(brokenIn([...reading, kill, ...ends, answer("7", false), pending])).toEqual([]);
  });

  test("finds a message that had its effect twice: two messages, or two turns of one", () => {
    const again = draft("user_message", {
      message_id: "m3",
      client_message_id: "c2",
      content,
      delivery: "queue",
    });
    const turn = draft("turn_started", { turn_id: "t3", message_id: "m3" });
    const end = draft("done", { turn_id: "t3" }, { turn_id: "t3" });
    expect(brokenIn(withLog([...drafts, again, turn, end]))).toEqual(["effect_twice"]);
    const second = draft("turn_started", { turn_id: "t3", message_id: "m2" });
    expect(brokenIn(withLog([...drafts, second, end]))).toContain("effect_twice");
  });

  test("finds two answers that were both acknowledged as deciding", () => {
    const both = [...operations, answer("8"), answered("8", 200), ...reading, kill, ...ends];
    expect(brokenIn(both)).toEqual(["decided_twice"]);
  });

  test("finds what was left open: a turn, a request, a message", () => {
    expect(brokenIn(withLog(drafts.slice(0, -1)))).toContain("unsettled");
    expect(brokenIn(withLog(drafts.slice(0, 7)))).toContain("unsettled");
    expect(brokenIn(withLog(drafts.slice(0, 4)))).toContain("unsettled");
  });

  test("finds a session that stayed without an owner for too long, or for good", () => {
    const at = (atMs: number, seenAtMs = atMs): HistoryEntry[] => {
      const ts = new Date(startedAt + atMs).toISOString();
      const own = textsFrom(drafts.map((one) => (one === drafts.at(-1) ? { ...one, ts } : one)));
      const seen = own.map((text, index) => received(index + 1, { hash: hashOf(text) }));
      const last = { ...received(9), atMs: seenAtMs, hash: hashOf(own[8] ?? "") };
      const readings = [connected(1, 0), ...seen.slice(0, -1), kill, last];
      return [...operations, ...readings, finalLog("store", own)];
    };
    expect(brokenIn(at(kill.atMs + takeoverMs))).toEqual([]);
    expect(brokenIn(at(kill.atMs + takeoverMs + 1))).toEqual(["late_takeover"]);
    // Taken over in time, and read later: the client had come to another host that was lost.
    expect(brokenIn(at(kill.atMs + takeoverMs, 9_000))).toEqual([]);
    const never: Fault = { ...kill, openTurns: [{ sessionId, turnId: "t9" }] };
    expect(brokenIn([...operations, ...reading, never, ...ends])).toEqual(["late_takeover"]);
    const drained: Fault = { ...never, kind: "drain" };
    expect(brokenIn([...operations, ...reading, drained, ...ends])).toEqual([]);
  });

  test("finds answers that no client can act on", () => {
    const history = [...operations, ...reading, kill, ...ends, message("9", "c9")];
    expect(brokenIn([...history, answered("9", 500, "internal")])).toEqual(["unclear_answer"]);
    expect(brokenIn([...history, answered("9", 503)])).toEqual(["unclear_answer"]);
  });
});
