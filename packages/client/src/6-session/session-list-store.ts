import { createStore, type ObservableStore } from "@turnwire/base";
import { sessionCursor } from "@turnwire/protocol";
import { follow, type Following, type Update } from "../5-connection/follow.ts";
import type { Platform } from "../5-connection/platform.ts";
import type { Transport } from "../5-connection/transport.ts";
import { watchFeed, type WatchEvent } from "../5-connection/watch-feed.ts";
import type { SessionApi, SessionQuery } from "./session-api.ts";
import {
  emptyList,
  listAfter,
  withConnection,
  withPage,
  type SessionListView,
} from "./session-list-view.ts";

export interface SessionListPorts {
  readonly platform: Platform;
  readonly api: SessionApi;
  readonly streams: Transport;
}

/** The server's own number, and the most it gives at once. */
const usualLimit = 50;
const highestLimit = 1000;

/** The principal's sessions, newest update first, followed from now until `close`. */
export class SessionListStore {
  readonly #ports: SessionListPorts;
  readonly #query: Omit<SessionQuery, "after">;
  readonly #view: ObservableStore<SessionListView>;
  #following: Following;
  #loading: Promise<void> | undefined;
  /** Reported while a page was on its way, which may still have them. */
  #removed = new Set<string>();

  constructor(ports: SessionListPorts, { after: _after, ...query }: SessionQuery = {}) {
    this.#ports = ports;
    this.#query = query;
    const { reportError } = ports.platform;
    this.#view = createStore(emptyList, { onListenerError: (error) => reportError(error) });
    this.#following = this.#follow();
  }

  /** The same object until something changes. */
  getState(): SessionListView {
    return this.#view.get();
  }

  /** Calls the listener after each change, once for all that one chunk brought. */
  subscribe(listener: () => void): () => void {
    return this.#view.subscribe(listener);
  }

  /** Adds the next page of older sessions; harmless when there is none. */
  loadMore(): Promise<void> {
    this.#loading ??= this.#loadPage().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  /** Requests the list again, at once, also after a final failure. */
  refresh(): void {
    this.#following.stop();
    this.#following = this.#follow();
  }

  /** Stops following; the last view stays. */
  close(): void {
    this.#following.stop();
  }

  #follow(): Following {
    const { platform, streams } = this.#ports;
    return follow<WatchEvent>({
      platform,
      from: { after: 0, onGap: "fail" },
      openStream: streams.streamOf(watchFeed(() => ({ ...this.#query, limit: this.#limit }))),
      takeSnapshot: () => Promise.reject(new Error("A list of sessions has no snapshot")),
      onUpdate: (update) => {
        this.#update(update);
        return undefined;
      },
    });
  }

  /** After a break the list starts over, as long as it was. */
  get #limit(): number {
    const limit = Math.max(this.#query.limit ?? usualLimit, this.#view.get().sessions.length);
    return Math.min(limit, highestLimit);
  }

  #update({ connection, events }: Update<WatchEvent>): void {
    for (const event of events) {
      if (event.type === "session_removed") this.#removed.add(event.session_id);
    }
    const view = this.#view.get();
    const isLive = connection.type === "live" && view.status === "live";
    const before = isLive ? view : withConnection(view, connection);
    this.#set(events.reduce(listAfter, before));
  }

  async #loadPage(): Promise<void> {
    const last = this.#view.get().sessions.at(-1);
    if (!last || !this.#view.get().hasMore) return;
    this.#removed = new Set();
    const page = await this.#ports.api.list({ ...this.#query, after: sessionCursor(last) });
    const sessions = page.sessions.filter(({ session_id }) => !this.#removed.has(session_id));
    this.#set(withPage(this.#view.get(), { ...page, sessions }));
  }

  #set(view: SessionListView): void {
    if (!isSame(view, this.#view.get())) this.#view.set(view);
  }
}

function isSame(left: SessionListView, right: SessionListView): boolean {
  return (
    left.status === right.status &&
    left.sessions === right.sessions &&
    left.hasMore === right.hasMore &&
    left.projectsRevision === right.projectsRevision &&
    left.error === right.error
  );
}
