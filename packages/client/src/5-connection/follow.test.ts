import { describe, expect, test } from "vitest";
import { initialState, type SessionEvent } from "@turnwire/protocol";
import { ManualPlatform } from "../test-support/manual-platform.ts";
import { sampleLog } from "../test-support/sample-event.ts";
import { ClientError } from "./client-error.ts";
import type { Snapshot, StartingPoint, StreamVerdict } from "./connection-state.ts";
import { follow, type Update } from "./follow.ts";
import type { AbortSignal } from "./platform.ts";
import type { Cursor, StreamReceiver } from "./stream.ts";

const log = sampleLog(10);
const verdict: StreamVerdict = { epoch: "e1", head: 0, hasKeepalive: true };
const snapshot: Snapshot = { seq: 4, epoch: "e2", state: { ...initialState(), seq: 4 } };

interface FakeStream {
  readonly cursor: Cursor;
  readonly receiver: StreamReceiver;
  isReleased: boolean;
}

/** Follows a session whose streams and snapshots the test plays by hand. */
function setUp(from: Partial<StartingPoint> = { after: 0 }) {
  const manual = new ManualPlatform();
  const streams: FakeStream[] = [];
  const updates: Update[] = [];
  const snapshots: { signal: AbortSignal; give(snapshot: Snapshot): void }[] = [];
  let listen: (update: Update) => Promise<void> | undefined = () => undefined;
  const following = follow<SessionEvent>({
    platform: manual.platform,
    from: { onGap: "snapshot", ...from },
    openStream: (cursor, receiver) => {
      const stream: FakeStream = { cursor, receiver, isReleased: false };
      streams.push(stream);
      return () => {
        stream.isReleased = true;
      };
    },
    takeSnapshot: (signal) =>
      new Promise((resolve) => {
        snapshots.push({ signal, give: resolve });
      }),
    onUpdate: (update) => {
      updates.push(update);
      return listen(update);
    },
  });
  return {
    manual,
    streams,
    updates,
    snapshots,
    following,
    newest: () => {
      const stream = streams.at(-1);
      if (!stream) throw new Error("no stream was opened");
      return stream;
    },
    listenWith: (listener: typeof listen) => {
      listen = listener;
    },
    seqs: () => updates.flatMap(({ events }) => events.map(({ seq }) => seq)),
  };
}

describe("following a session", () => {
  test("reports once all that one chunk brought", async () => {
    const { newest, updates } = setUp();
    await newest().receiver.opened(verdict);
    await newest().receiver.received({ events: log.slice(0, 7) });
    expect(updates.map(({ events }) => events.length)).toEqual([0, 0, 7]);
  });

  test("comes back after the last event when the connection breaks", async () => {
    const { newest, manual, streams, seqs } = setUp();
    await newest().receiver.opened(verdict);
    await newest().receiver.received({ events: log.slice(0, 3) });
    await newest().receiver.failed(new ClientError("network", "cut"));
    expect(streams).toHaveLength(1);
    manual.advance(125);
    expect(newest().cursor).toMatchObject({ after: 3, epoch: "e1" });
    await newest().receiver.opened(verdict);
    await newest().receiver.received({ events: log.slice(3) });
    expect(seqs()).toEqual(log.map(({ seq }) => seq));
  });

  test("lets a silent line go after 45 s and opens another", async () => {
    const { newest, manual, streams } = setUp();
    await newest().receiver.opened(verdict);
    manual.advance(44_000);
    await newest().receiver.received({ events: [] });
    manual.advance(44_999);
    expect(newest().isReleased).toBe(false);
    manual.advance(1);
    expect(newest().isReleased).toBe(true);
    manual.advance(125);
    expect(streams).toHaveLength(2);
  });

  test("does not listen to a line it has let go", async () => {
    const { newest, manual, streams, seqs } = setUp();
    const [old] = streams;
    manual.advance(45_000);
    manual.advance(125);
    await old?.receiver.opened(verdict);
    await old?.receiver.received({ events: log });
    await old?.receiver.failed(new ClientError("wire", "late", { status: 404 }));
    await newest().receiver.opened(verdict);
    await newest().receiver.received({ events: log.slice(0, 2) });
    expect(seqs()).toEqual([1, 2]);
  });

  test("a listener that throws is reported and hurts no other", async () => {
    const { newest, manual, listenWith, streams, seqs } = setUp();
    const bug = new Error("a bug in the app");
    listenWith(() => {
      throw bug;
    });
    await newest().receiver.opened(verdict);
    await newest().receiver.received({ events: log.slice(0, 2) });
    await newest().receiver.received({ events: log.slice(2, 4) });
    expect(manual.errors).toEqual([bug, bug, bug]);
    expect(streams).toHaveLength(1);
    expect(seqs()).toEqual([1, 2, 3, 4]);
  });

  test("silence while a listener is busy is not held against the connection", async () => {
    const { newest, manual, listenWith, streams } = setUp();
    await newest().receiver.opened(verdict);
    let finish = (): void => {};
    listenWith(() => new Promise((resolve) => (finish = resolve)));
    const reading = newest().receiver.received({ events: log.slice(0, 2) });
    manual.advance(300_000);
    expect(newest().isReleased).toBe(false);
    finish();
    await reading;
    manual.advance(45_000);
    expect(streams[0]?.isReleased).toBe(true);
  });

  test("takes a snapshot where the log cannot be followed, and continues from there", async () => {
    const { newest, snapshots, updates, streams } = setUp();
    await newest().receiver.failed(new ClientError("wire", "gone", { status: 412 }));
    snapshots[0]?.give(snapshot);
    await new Promise(setImmediate);
    expect(updates.at(-1)?.snapshot).toBe(snapshot);
    expect(streams).toHaveLength(2);
    expect(newest().cursor).toMatchObject({ after: 4, epoch: "e2" });
  });

  test("a snapshot that comes after its time is not taken", async () => {
    const { snapshots, manual, updates } = setUp({});
    manual.advance(45_000);
    expect(snapshots[0]?.signal.aborted).toBe(true);
    manual.advance(125);
    snapshots[0]?.give(snapshot);
    await new Promise(setImmediate);
    expect(updates.some((update) => update.snapshot)).toBe(false);
    expect(snapshots).toHaveLength(2);
  });

  test("passes on what the browser hints at", async () => {
    const { newest, manual, streams } = setUp();
    await newest().receiver.ended();
    manual.hint("visible");
    expect(streams).toHaveLength(2);
  });

  test("reconnect opens at once, also after a final failure", async () => {
    const { newest, following, streams, updates } = setUp();
    await newest().receiver.failed(new ClientError("wire", "no", { status: 401 }));
    expect(updates.at(-1)?.connection.type).toBe("failed");
    following.reconnect();
    expect(streams).toHaveLength(2);
  });

  test("stop leaves nothing behind: no line, no timer, no hint listener", async () => {
    const { newest, following, manual, updates } = setUp();
    await newest().receiver.opened(verdict);
    following.stop();
    following.stop();
    expect(newest().isReleased).toBe(true);
    expect(manual.timerCount).toBe(0);
    expect(manual.hintListenerCount).toBe(0);
    expect(updates.at(-1)?.connection).toMatchObject({ type: "closed", reason: "stopped" });
  });

  test("a listener may stop it from inside an update", async () => {
    const { newest, following, manual, listenWith } = setUp();
    await newest().receiver.opened(verdict);
    listenWith(() => {
      following.stop();
      return undefined;
    });
    await newest().receiver.received({ events: log.slice(0, 1) });
    expect(newest().isReleased).toBe(true);
    expect(manual.timerCount).toBe(0);
  });
});
