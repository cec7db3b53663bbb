import type { Sequenced } from "./connection-state.ts";
import { createEventStream } from "./event-stream.ts";
import type { EventFeed } from "./event-feed.ts";
import type { Http } from "./http.ts";
import type { OpenStream } from "./stream.ts";
import { choiceAfter, choiceAt, firstChoice, type TransportNews } from "./transport-choice.ts";
import { createWebSocketStream } from "./web-socket-stream.ts";

/** auto: WebSocket in a browser, for as long as something in between lets it through; else server-sent events. */
export type TransportName = "auto" | "sse" | "websocket";

/** How the streams of a client are opened; a runtime without WebSocket takes SSE all the same. */
export class Transport {
  readonly #http: Http;
  readonly #name: TransportName;
  #choice = firstChoice;
  /** Takes each stream whose WebSocket is not open yet the other way. */
  readonly #detours = new Set<() => void>();

  constructor(http: Http, name: TransportName) {
    this.#http = http;
    this.#name = name;
  }

  streamOf<Event extends Sequenced>(feed: EventFeed<Event>): OpenStream<Event> {
    const { createWebSocket, isBrowser } = this.#http.platform;
    const bySse = createEventStream(this.#http, feed);
    if (!createWebSocket || this.#name === "sse") return bySse;
    const byWebSocket = createWebSocketStream(this.#http, feed, createWebSocket);
    if (this.#name === "websocket") return byWebSocket;
    return isBrowser ? this.#choosing(byWebSocket, bySse) : bySse;
  }

  /** A stream that is blocked one way goes the other way at once, without a report. */
  #choosing<Event extends Sequenced>(
    byWebSocket: OpenStream<Event>,
    bySse: OpenStream<Event>,
  ): OpenStream<Event> {
    return (cursor, receiver) => {
      if (this.#isBlocked) return bySse(cursor, receiver);
      let release = (): void => {};
      let isOnDetour = false;
      const detour = (): void => {
        isOnDetour = true;
        release();
        release = bySse(cursor, receiver);
      };
      const settle = (): void => void this.#detours.delete(detour);
      this.#detours.add(detour);
      release = byWebSocket(cursor, {
        received: (batch) => receiver.received(batch),
        ended: () => {
          settle();
          return receiver.ended();
        },
        opened: (verdict) => {
          settle();
          this.#report("opened");
          return receiver.opened(verdict);
        },
        failed: async (error) => {
          if (error.code === "blocked") this.#report("blocked");
          settle();
          if (!isOnDetour) await receiver.failed(error);
        },
      });
      return () => {
        settle();
        release();
      };
    };
  }

  get #isBlocked(): boolean {
    return choiceAt(this.#choice, this.#http.platform.now()).type === "sse";
  }

  #report(news: TransportNews): void {
    const now = this.#http.platform.now();
    this.#choice = choiceAfter(choiceAt(this.#choice, now), news, now);
    if (!this.#isBlocked) return;
    const detours = [...this.#detours];
    this.#detours.clear();
    for (const detour of detours) detour();
  }
}
