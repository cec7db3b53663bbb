import { createStore, type ObservableStore } from "@turnwire/base";
import {
  createRelayPlatform,
  RelayConnection,
  type RelayPlatform,
} from "../../5-connection/relay/relay-connection.ts";
import {
  createRotation,
  rotate,
  shownAgents,
  type RelayAgent,
  type Rotation,
  type RotationInput,
} from "./rotation.ts";

/** Where relays are looked for: the first ten ports that one takes. */
export const relayPorts: readonly number[] = Array.from({ length: 10 }, (_, index) => 8765 + index);

/** A relay that answers now. */
export interface FoundRelay {
  readonly port: number;
  readonly url: string;
  /** Those that it spoke of since it was found, oldest first; also disconnected ones that showed something. */
  readonly agents: readonly RelayAgent[];
}

export interface RelayDiscoveryOptions extends Partial<RelayPlatform> {
  readonly ports?: readonly number[];
  readonly everyMs?: number;
  /**
   * The ports, of those given, on which a connection is worth a try; all by default. A browser logs
   * every connection that is refused: where something else can look, let it.
   */
  readonly probe?: (ports: readonly number[]) => Promise<readonly number[]>;
  readonly urlOf?: (port: number) => string;
}

/** Looks for relays on this machine every five seconds and listens to those that it found, until `close`. */
export class RelayDiscovery {
  readonly #ports: readonly number[];
  readonly #everyMs: number;
  readonly #probe: (ports: readonly number[]) => Promise<readonly number[]>;
  readonly #urlOf: (port: number) => string;
  readonly #platform: RelayPlatform;
  readonly #found: ObservableStore<readonly FoundRelay[]>;
  readonly #connections = new Map<number, RelayConnection>();
  #rotation: Rotation = createRotation();
  #stopTimer: () => void = () => {};
  #isClosed = false;

  constructor(options: RelayDiscoveryOptions = {}) {
    const { ports, everyMs, probe, urlOf, ...parts } = options;
    this.#ports = ports ?? relayPorts;
    this.#everyMs = everyMs ?? 5_000;
    this.#probe = probe ?? ((all) => Promise.resolve(all));
    this.#urlOf = urlOf ?? ((port) => `ws://127.0.0.1:${port}/ws`);
    this.#platform = createRelayPlatform(parts);
    const { reportError } = this.#platform;
    this.#found = createStore<readonly FoundRelay[]>([], { onListenerError: reportError });
    this.#poll();
  }

  /** By port; the same list until something changes. */
  getState(): readonly FoundRelay[] {
    return this.#found.get();
  }

  subscribe(listener: () => void): () => void {
    return this.#found.subscribe(listener);
  }

  close(): void {
    this.#isClosed = true;
    this.#stopTimer();
    for (const connection of this.#connections.values()) connection.stop();
    this.#connections.clear();
  }

  #poll(): void {
    const missing = this.#ports.filter((port) => !this.#connections.has(port));
    this.#probe(missing)
      // A probe that fails has found nothing; the next one follows.
      .catch((): readonly number[] => [])
      .then((open) => {
        if (this.#isClosed) return;
        for (const port of missing) if (open.includes(port)) this.#connect(port);
        this.#stopTimer = this.#platform.startTimer(() => this.#poll(), this.#everyMs);
      })
      .catch((error: unknown) => this.#platform.reportError(error));
  }

  #connect(port: number): void {
    const connectionId = this.#urlOf(port);
    const connection = new RelayConnection({
      url: connectionId,
      isSilent: true,
      platform: this.#platform,
      onState: ({ type }) => {
        if (type === "open") this.#take({ type: "opened", connectionId });
        if (type !== "closed") return;
        this.#connections.delete(port);
        this.#take({ type: "closed", connectionId, willReopen: false });
      },
      onLine: (line) => this.#take({ type: "line", connectionId, line }),
    });
    this.#connections.set(port, connection);
  }

  #take(input: RotationInput): void {
    const { rotation } = rotate(this.#rotation, input);
    if (rotation === this.#rotation) return;
    this.#rotation = rotation;
    if (!this.#isClosed) this.#found.set(this.#relays());
  }

  #relays(): readonly FoundRelay[] {
    const agents = shownAgents(this.#rotation);
    return Array.from(this.#connections)
      .filter(([, { state }]) => state.type === "open")
      .map(([port]) => ({ port, url: this.#urlOf(port) }))
      .toSorted((left, right) => left.port - right.port)
      .map((relay) => ({
        ...relay,
        agents: agents.filter(({ connectionId }) => connectionId === relay.url),
      }));
  }
}
