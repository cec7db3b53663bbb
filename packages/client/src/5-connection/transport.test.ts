import { describe, expect, test } from "vitest";
import { sampleLog } from "../test-support/sample-event.ts";
import { frameOf } from "../test-support/scripted-session.ts";
import type { ClientError } from "./client-error.ts";
import { Http } from "./http.ts";
import { createPlatform, type Fetch, type WebSocketPort } from "./platform.ts";
import { sessionFeed } from "./session-feed.ts";
import { Transport, type TransportName } from "./transport.ts";

const log = sampleLog(3);

type Behaviour = "opens" | "refused" | "silent" | "throws";

/** A browser before a server, with something in between that may not know WebSockets. */
class World {
  behaviour: Behaviour = "refused";
  isReachable = true;
  now = 1_000_000;
  readonly opened: ("websocket" | "sse")[] = [];
  readonly #timers = new Set<{ readonly at: number; readonly callback: () => void }>();

  transport(name: TransportName = "auto", isBrowser = true): Transport {
    const platform = createPlatform({
      isBrowser,
      now: () => this.now,
      fetch: this.#fetch,
      createWebSocket: () => this.#createWebSocket(),
      startTimer: (callback, delayMs) => {
        const timer = { at: this.now + delayMs, callback };
        this.#timers.add(timer);
        return () => this.#timers.delete(timer);
      },
    });
    const http = new Http({ url: "http://server", timeoutMs: 60_000, platform });
    return new Transport(http, name);
  }

  pass(ms: number): void {
    this.now += ms;
    for (const timer of this.#timers) {
      if (timer.at > this.now) continue;
      this.#timers.delete(timer);
      timer.callback();
    }
  }

  readonly #fetch: Fetch = async (url) => {
    if (!this.isReachable) throw new TypeError("fetch failed");
    if (!url.includes("/events")) return new Response("{}");
    this.opened.push("sse");
    return new Response(log.map(frameOf).join(""), {
      headers: { "content-type": "text/event-stream" },
    });
  };

  #createWebSocket(): WebSocketPort {
    this.opened.push("websocket");
    const { behaviour } = this;
    if (behaviour === "throws") throw new Error("SecurityError");
    const listeners = new Map<string, (event: { data: unknown; code: number }) => void>();
    const end = (code: number): void => {
      queueMicrotask(() => listeners.get("close")?.({ data: undefined, code }));
    };
    if (behaviour === "refused") end(1006);
    if (behaviour === "opens") {
      queueMicrotask(() => {
        const say = (frame: object): void =>
          listeners.get("message")?.({ data: JSON.stringify(frame), code: 0 });
        say({ type: "ready", after: 0, head: 3, epoch: "e1" });
        for (const event of log) say(event);
      });
      end(1001);
    }
    return {
      addEventListener: (
        type: string,
        listener: (event: { readonly data: unknown; readonly code: number }) => void,
      ) => listeners.set(type, listener),
      close: () => end(1006),
    };
  }
}

/** Opens one stream and reads it to its end. */
function read(transport: Transport): Promise<number | ClientError> {
  let count = 0;
  return new Promise((resolve) => {
    transport.streamOf(sessionFeed("s1"))(
      { after: 0 },
      {
        opened: async () => undefined,
        received: async ({ events }) => {
          count += events.length;
        },
        ended: async () => resolve(count),
        failed: async (error) => resolve(error),
      },
    );
  });
}

describe("by itself, a client", () => {
  test("takes WebSocket in a browser and SSE elsewhere", async () => {
    const world = new World();
    world.behaviour = "opens";
    expect(await read(world.transport("auto", true))).toBe(3);
    expect(await read(world.transport("auto", false))).toBe(3);
    expect(world.opened).toEqual(["websocket", "sse"]);
  });

  test("falls back to SSE, unnoticed, where a WebSocket does not get through", async () => {
    const world = new World();
    const transport = world.transport();
    expect(await read(transport)).toBe(3);
    expect(await read(transport)).toBe(3);
    expect(world.opened).toEqual(["websocket", "sse", "sse"]);
  });

  test("falls back to SSE where a browser does not even try a WebSocket", async () => {
    const world = new World();
    world.behaviour = "throws";
    expect(await read(world.transport())).toBe(3);
    expect(world.opened).toEqual(["websocket", "sse"]);
  });

  test("does not wait longer than 4 s for a WebSocket that gets no answer", async () => {
    const world = new World();
    world.behaviour = "silent";
    const reading = read(world.transport());
    world.pass(3_999);
    await Promise.resolve();
    expect(world.opened).toEqual(["websocket"]);
    world.pass(1);
    expect(await reading).toBe(3);
    expect(world.opened).toEqual(["websocket", "sse"]);
  });

  test("takes all streams that still wait for a WebSocket the other way, with the first that is blocked", async () => {
    const world = new World();
    world.behaviour = "silent";
    const transport = world.transport();
    const first = read(transport);
    world.pass(3_000);
    const second = read(transport);
    world.pass(1_000);
    expect(await Promise.all([first, second])).toEqual([3, 3]);
    expect(world.opened).toEqual(["websocket", "websocket", "sse", "sse"]);
  });

  test("blames the network, not WebSockets, where the server is not reached at all", async () => {
    const world = new World();
    world.isReachable = false;
    const transport = world.transport();
    expect(await read(transport)).toMatchObject({ code: "network" });
    world.isReachable = true;
    world.behaviour = "opens";
    expect(await read(transport)).toBe(3);
    expect(world.opened).toEqual(["websocket", "websocket"]);
  });

  test("opens nothing more for a reader that has left meanwhile", async () => {
    const world = new World();
    const probed = new Promise<void>((resolve) => {
      const release = world.transport().streamOf(sessionFeed("s1"))(
        { after: 0 },
        {
          opened: async () => undefined,
          received: async () => undefined,
          ended: async () => undefined,
          failed: async () => undefined,
        },
      );
      release();
      setImmediate(resolve);
    });
    await probed;
    expect(world.opened).toEqual(["websocket"]);
  });
});

describe("when configured to, a client", () => {
  test("takes nothing but WebSocket, and says that it is blocked", async () => {
    const world = new World();
    expect(await read(world.transport("websocket"))).toMatchObject({ code: "blocked" });
    expect(world.opened).toEqual(["websocket"]);
  });

  test("takes nothing but SSE", async () => {
    const world = new World();
    expect(await read(world.transport("sse"))).toBe(3);
    expect(world.opened).toEqual(["sse"]);
  });
});
