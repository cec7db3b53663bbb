import { demo } from "@turnwire/runtime/demo";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type ClientOptions, type TurnwireClient } from "@turnwire/client";
import { foldAll, initialState, type SessionEvent } from "@turnwire/protocol";
import {
  createMemoryStore,
  createTurnwireServer,
  createSessionHost,
  type TurnwireServer,
} from "@turnwire/server";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { CuttingProxy, type Cut } from "./support/cutting-proxy.ts";

const token = "cut-test-token-0123456789-abcdefghijklmnopqrs";
let root: string;
let server: TurnwireServer;
let url: string;
let proxy: CuttingProxy;
let direct: TurnwireClient;
/** A conversation that is over, and all its events. */
let past: { readonly id: string; readonly events: readonly SessionEvent[]; readonly epoch: string };

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "turnwire-cut-"));
  const host = createSessionHost({
    store: createMemoryStore(),
    runtimes: [demo({ delayMs: 0 })],
    defaultRuntime: "demo",
    roots: [root],
    // A session that is put to sleep has one event more.
    maxLiveRuns: 1_000,
  });
  proxy = await CuttingProxy.start();
  server = await createTurnwireServer({
    host,
    auth: { type: "token", token },
    allowedHosts: [proxy.host],
  });
  const listening = await server.listen();
  proxy.target = listening.port;
  url = listening.url;
  direct = createClient({ url, token });
  const { session_id: id } = await direct.sessions.create();
  for (const message of ["/diff", "/plan", "/thinking"]) await speak(id, message);
  const { events, epoch } = await direct.sessions.eventPage(id, { limit: 1_000 });
  past = { id, events, epoch };
});

afterAll(async () => {
  await proxy.close();
  await server.close();
  await rm(root, { recursive: true, force: true });
});

/** Says something and waits until its turn is over. */
async function speak(id: string, message: string): Promise<void> {
  const { seq } = await direct.sessions.message(id, { message });
  for await (const event of direct.events(id, { after: seq })) if (event.type === "done") return;
}

interface Way {
  readonly options: Partial<ClientOptions>;
  /** How many bytes of a stream's body come before its first event, and how many each event takes. */
  readonly preambleBytes: () => number;
  readonly bytesOf: (event: SessionEvent) => number;
}

const ways: Record<string, Way> = {
  "server-sent events": {
    options: { transport: "sse" },
    preambleBytes: () => 0,
    bytesOf: (event) => {
      const frame = `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
      return Buffer.byteLength(frame);
    },
  },
  WebSocket: {
    options: {
      transport: "websocket",
      createWebSocket: (address, protocols) => new WebSocket(address, protocols),
    },
    preambleBytes: () => {
      const { id: session_id, epoch, events } = past;
      const ready = { type: "ready", session_id, epoch, after: 0, head: events.length };
      return frameBytes(JSON.stringify(ready));
    },
    bytesOf: (event) => frameBytes(JSON.stringify(event)),
  },
};

/** A server's frame has 2, 4 or 10 bytes before its text (RFC 6455, section 5.2). */
function frameBytes(text: string): number {
  const length = Buffer.byteLength(text);
  if (length < 126) return length + 2;
  return length <= 0xffff ? length + 4 : length + 10;
}

describe.each(Object.entries(ways))("over %s, a line cut", (_name, way) => {
  function clientBehind(...cuts: Cut[]): TurnwireClient {
    proxy.cuts.splice(0, Infinity, ...cuts);
    return createClient({ url: proxy.url, token, random: () => 0, ...way.options });
  }

  /** Reads the past conversation raw and folded. */
  async function readThrough(...cuts: Cut[]) {
    const client = clientBehind(...cuts);
    const before = proxy.streamCount;
    const { id, events } = past;
    const read: SessionEvent[] = [];
    for await (const event of client.events(id)) {
      read.push(event);
      if (read.length === events.length) break;
    }
    const session = client.openSession(id, { start: "beginning" });
    await session.waitFor((view) => view.session.seq === events.length);
    const { session: state } = session.getState();
    session.close();
    return { read, state, streamCount: proxy.streamCount - before };
  }

  test("at any frame's end loses nothing and brings nothing twice", async () => {
    let bytes = way.preambleBytes();
    const places = [bytes, ...past.events.map((event) => (bytes += way.bytesOf(event)))];
    expect(places.length).toBeGreaterThan(20);
    for (const [index, place] of places.entries()) {
      const by = index % 2 === 0 ? "end" : "reset";
      const { read, state, streamCount } = await readThrough({ bytes: place, of: "body", by });
      expect(read).toEqual(past.events);
      expect(state).toEqual(foldAll(initialState(), past.events));
      expect(streamCount).toBeGreaterThan(1);
    }
  });

  test("again and again, soon after it was mended, still gets to the end", async () => {
    const oneFrame = Math.max(...past.events.map(way.bytesOf)) + 500;
    const cuts = past.events.map((): Cut => ({ bytes: oneFrame, of: "body", by: "end" }));
    const { read, state } = await readThrough(...cuts, ...cuts);
    expect(read).toEqual(past.events);
    expect(state).toEqual(foldAll(initialState(), past.events));
  });

  test("at random bytes, while an agent speaks, leaves the state of a fresh replay", async () => {
    const cut: fc.Arbitrary<Cut> = fc.record({
      bytes: fc.oneof(fc.nat({ max: 400 }), fc.nat({ max: 6_000 })),
      of: fc.constantFrom("answer", "body"),
      by: fc.constantFrom("end", "reset"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(cut, { maxLength: 12 }), async (cuts) => {
        const client = clientBehind(...cuts);
        const { session_id: id } = await direct.sessions.create();
        const session = client.openSession(id, { start: "beginning" });
        const tail = client.events(id);
        const { seq } = await client.sessions.message(id, { message: "/plan" });
        const read: number[] = [];
        for await (const event of tail) {
          read.push(event.seq);
          if (event.type === "done") break;
        }
        const last = read.length;
        await session.waitFor((view) => view.session.seq >= last);
        const { events } = await direct.sessions.eventPage(id, { limit: 1_000 });
        expect(seq).toBeLessThan(last);
        expect(read).toEqual(events.slice(0, last).map((event) => event.seq));
        await session.waitFor((view) => view.session.seq === events.length);
        expect(session.getState().session).toEqual(foldAll(initialState(), events));
        session.close();
      }),
      { numRuns: 15 },
    );
  });
});

describe("a line that is dead but open", () => {
  /** A client whose clock and long timers the test moves on, as a machine's that wakes. */
  function createSleeper(options: Partial<ClientOptions> & { url: string }) {
    const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
    let sleptMs = 0;
    const now = (): number => Date.now() + sleptMs;
    const client = createClient({
      token,
      random: () => 0,
      now,
      startTimer: (callback, delayMs) => {
        if (delayMs === 0) {
          const immediate = setImmediate(callback);
          return () => clearImmediate(immediate);
        }
        const timer = { at: now() + delayMs, callback };
        timers.add(timer);
        return () => timers.delete(timer);
      },
      ...options,
    });
    return {
      client,
      /** Nothing runs for so long; then whatever has become due does. */
      sleep: (ms: number): void => {
        sleptMs += ms;
        for (const timer of timers) {
          if (timer.at > now()) continue;
          timers.delete(timer);
          timer.callback();
        }
      },
    };
  }

  test.each(Object.entries(ways))(
    "over %s is found after a sleep, and mended",
    async (_name, way) => {
      const { client, sleep } = createSleeper({ url: proxy.url, ...way.options });
      const { session_id: id } = await direct.sessions.create();
      const session = client.openSession(id);
      onTestFinished(() => session.close());
      await session.waitFor(({ connection }) => connection.status === "live");

      proxy.isDead = true;
      await speak(id, "/thinking");
      const { head } = await direct.sessions.get(id);
      expect(session.getState().session.seq).toBeLessThan(head);
      proxy.isDead = false;
      sleep(3_600_000);
      await session.waitFor((view) => view.session.seq >= head);
      const { state } = await direct.sessions.snapshot(id);
      await session.waitFor((view) => view.session.seq === state.seq);
      expect(session.getState().session).toEqual(state);
    },
  );
});
