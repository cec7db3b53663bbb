import type { IncomingMessage } from "node:http";
import { detach } from "@turnwire/base";
import type { Principal } from "@turnwire/protocol";
import type { RightsEnd } from "@turnwire/wire";
import { BEAT_MS, type Heartbeat } from "./heartbeat.ts";

/** A connection that stays open after it was admitted. */
export interface WatchedConnection {
  readonly incoming: IncomingMessage;
  /** Why somebody with the credential of this connection may not keep it open. */
  readonly check: (principal: Principal) => RightsEnd | undefined;
  readonly end: (reason: RightsEnd) => void;
}

export interface RightsWatchOptions {
  readonly heartbeat: Heartbeat;
  readonly everyMs: number;
  readonly currentPrincipal: (incoming: IncomingMessage) => Promise<Principal | undefined>;
  readonly onError: (error: unknown) => void;
}

/** Connections with the same credential: one question answers for all of them. */
interface Group {
  readonly connections: Set<WatchedConnection>;
  beats: number;
  isChecking: boolean;
}

/**
 * Checks every so often whether those with an open connection still have the right to it, and ends
 * it when they have not. Where the check itself fails the connection stays, and the error is reported.
 */
export class RightsWatch {
  readonly #options: RightsWatchOptions;
  readonly #groups = new Map<string, Group>();
  #stopBeat: (() => void) | undefined;

  constructor(options: RightsWatchOptions) {
    this.#options = options;
  }

  /** The returned function ends the watch. */
  add(connection: WatchedConnection): () => void {
    const key = credentialOf(connection.incoming);
    const group: Group = this.#groups.get(key) ?? {
      connections: new Set(),
      beats: 0,
      isChecking: false,
    };
    group.connections.add(connection);
    this.#groups.set(key, group);
    this.#stopBeat ??= this.#options.heartbeat.add(() => this.#beat());
    return () => {
      group.connections.delete(connection);
      if (group.connections.size > 0 || this.#groups.get(key) !== group) return;
      this.#groups.delete(key);
      if (this.#groups.size > 0) return;
      this.#stopBeat?.();
      this.#stopBeat = undefined;
    };
  }

  /** Checks all connections now, because rights are known to have changed. */
  checkAll(): void {
    for (const group of this.#groups.values()) this.#start(group);
  }

  #beat(): void {
    for (const group of this.#groups.values()) {
      group.beats += 1;
      if (group.beats * BEAT_MS >= this.#options.everyMs && !group.isChecking) this.#start(group);
    }
  }

  #start(group: Group): void {
    group.beats = 0;
    group.isChecking = true;
    const checked = this.#check(group).finally(() => {
      group.isChecking = false;
    });
    detach(checked, this.#options.onError);
  }

  async #check({ connections }: Group): Promise<void> {
    const [any] = connections;
    if (!any) return;
    const principal = await this.#options.currentPrincipal(any.incoming);
    for (const connection of connections) {
      const reason = principal ? connection.check(principal) : "unauthorized";
      if (reason) connection.end(reason);
    }
  }
}

/** What differs between requests of one client without meaning anything for its rights. */
const MEANINGLESS = new Set(["sec-websocket-key", "last-event-id", "if-none-match"]);
const POSITIONS = ["after", "epoch"];

/** Everything of a request that decides who it comes from, also for a hook that looks at any header. */
function credentialOf(incoming: IncomingMessage): string {
  const headers = Object.entries(incoming.headers).filter(([name]) => !MEANINGLESS.has(name));
  const url = new URL(incoming.url ?? "/", "http://localhost");
  for (const position of POSITIONS) url.searchParams.delete(position);
  const path = `${url.pathname}${url.search}`;
  return JSON.stringify([incoming.socket.remoteAddress, path, headers]);
}
