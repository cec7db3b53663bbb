import { setTimeout as wait } from "node:timers/promises";
import { createClient } from "@turnwire/client";
import type { SessionEvent } from "@turnwire/protocol";
import { hashOf } from "./hash.ts";
import type { Recorder } from "./recorder.ts";
import { sseStream } from "./sse-stream.ts";

export interface FollowerOptions {
  readonly recorder: Recorder;
  readonly client: string;
  readonly token: string;
  readonly sessionId: string;
  /** Where to connect next: another host after one that broke. */
  readonly nextHost: () => { readonly name: string; readonly url: string };
  readonly onEvent?: (event: SessionEvent) => void;
}

/** Reads a session's log to wherever it is stopped, and records what it gets. */
export interface Follower {
  readonly client: string;
  readonly sessionId: string;
  /** The last seq that it has. */
  readonly seq: number;
  stop(): Promise<void>;
}

/** How long a reader without a library waits before it connects again. */
const RECONNECT_MS = 50;
/** A connection on which nothing comes for so long may be dead; a comment comes every 15 s at least. */
const SILENCE_MS = 20_000;

/** Bare server-sent events: what the wire does, without anything that could put it right. */
export function followBare(options: FollowerOptions): Follower {
  const { recorder, client, token, sessionId, nextHost, onEvent } = options;
  const stopped = new AbortController();
  let seq = 0;
  let connection = 0;

  async function readOnce(): Promise<void> {
    const { name: host, url } = nextHost();
    connection += 1;
    recorder.add({ type: "connected", client, connection, host, sessionId, after: seq });
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), SILENCE_MS);
    const signal = AbortSignal.any([stopped.signal, silence.signal]);
    try {
      for await (const data of sseStream({ url, token, sessionId, after: seq, signal })) {
        timer.refresh();
        const event = eventFrom(data);
        if (!event) continue;
        record(recorder, { client, connection, sessionId }, { event, data });
        seq = event.seq;
        onEvent?.(event);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      // Any end of a connection is one to continue after: that is what a run is about.
      await readOnce().catch(() => undefined);
      await wait(RECONNECT_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    client,
    sessionId,
    get seq() {
      return seq;
    },
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}

export interface LibraryFollowerOptions extends Omit<FollowerOptions, "nextHost"> {
  /** Leads to some host, as a load balancer does. */
  readonly url: string;
}

/** The published client: its own reconnecting, its own state. */
export function followByLibrary(options: LibraryFollowerOptions) {
  const { recorder, client, token, sessionId, url, onEvent } = options;
  const library = createClient({ url, token, transport: "sse", random: () => 0 });
  const stopped = new AbortController();
  const session = library.openSession(sessionId, { start: "beginning" });
  let seq = 0;

  async function run(): Promise<void> {
    recorder.add({
      type: "connected",
      client,
      connection: 1,
      host: "any",
      sessionId,
      after: 0,
    });
    for await (const event of library.events(sessionId, { signal: stopped.signal })) {
      const data = JSON.stringify(event);
      record(recorder, { client, connection: 1, sessionId }, { event, data });
      seq = event.seq;
      onEvent?.(event);
    }
  }

  let failure: unknown;
  const running = run().catch((error: unknown) => {
    if (!stopped.signal.aborted) failure = error;
  });
  return {
    client,
    sessionId,
    get seq() {
      if (failure !== undefined) throw failure;
      return seq;
    },
    /** Waits until its state has all that it has read, and records it. */
    async recordState(limit: AbortSignal): Promise<void> {
      await session
        .waitFor((view) => view.session.seq >= seq, { signal: limit })
        .catch(() => undefined);
      const state = session.getState().session;
      const hash = hashOf(JSON.stringify(state));
      recorder.add({ type: "folded", client, sessionId, seq: state.seq, hash });
    },
    stop: async () => {
      stopped.abort();
      session.close();
      await running;
    },
  };
}

interface Reading {
  readonly client: string;
  readonly connection: number;
  readonly sessionId: string;
}

function record(
  recorder: Recorder,
  reading: Reading,
  { event, data }: { readonly event: SessionEvent; readonly data: string },
): void {
  recorder.add({
    type: "received",
    ...reading,
    seq: event.seq,
    hash: hashOf(data),
    ...(event.type === "done" && { endedTurn: event.data.turn_id }),
  });
}

/** Undefined for frames about the connection. */
function eventFrom(data: string): SessionEvent | undefined {
  const parsed: unknown = JSON.parse(data);
  const isEvent = typeof parsed === "object" && parsed !== null && "seq" in parsed;
  // The server speaks our own dialect here; the checker compares the bytes with the log's.
  return isEvent ? (parsed as SessionEvent) : undefined;
}
