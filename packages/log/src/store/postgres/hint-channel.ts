import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import type { StoreHint } from "../../store-hint.ts";
import { connectionSettings, timeLimits } from "./database.ts";

const CHANNEL = "turnwire";
/** Postgres takes payloads of less than 8,000 bytes. */
const PAYLOAD_BYTES = 7800;
/** Beyond so many different hints, one that everything may have changed costs less. */
const MAX_HINTS = 5000;
/** How often a connection that carries nothing is tried. */
const TRY_MS = 5000;
const RECONNECT_MS = { first: 50, most: 2000 } as const;

export interface HintChannelOptions {
  readonly url: string;
  /** A hint of another host, or that some may have been lost. */
  readonly onHint: (hint: StoreHint) => void;
}

interface Connection {
  /** Resolves when it is lost. */
  readonly lost: Promise<void>;
}

/** What travels: who sent it, since a sender hears itself. */
interface Message {
  readonly from: string;
  readonly hints: readonly StoreHint[];
}

/**
 * Carries hints between hosts: one connection that listens and notifies. What is to be sent while a
 * notification is under way goes together in the next one, since Postgres commits them one by one.
 */
export class HintChannel {
  readonly #options: HintChannelOptions;
  readonly #id = randomUUID();
  readonly #pending = new Map<string, StoreHint>();
  readonly #closing = new AbortController();
  #client: Client | undefined;
  #flushing: Promise<void> | undefined;
  #running: Promise<void> | undefined;
  #reconnects = 0;

  constructor(options: HintChannelOptions) {
    this.#options = options;
  }

  get reconnects(): number {
    return this.#reconnects;
  }

  /** Resolves when it listens. */
  async start(): Promise<void> {
    const connection = await this.#connect();
    this.#running = this.#stayConnected(connection);
  }

  /** Never waits and never fails: a hint that is lost is found by those who look now and then. */
  send(...hints: readonly StoreHint[]): void {
    for (const hint of hints) this.#add(hint);
    this.#flushing ??= this.#flush();
  }

  async close(): Promise<void> {
    await this.#flushing;
    this.#closing.abort();
    await this.#client?.end().catch(() => undefined);
    await this.#running;
    // One that was being opened.
    await this.#client?.end().catch(() => undefined);
  }

  #add(hint: StoreHint): void {
    if (this.#pending.size >= MAX_HINTS) {
      this.#pending.clear();
      this.#pending.set("gap", { type: "gap" });
    }
    const key = keyOf(hint);
    const before = this.#pending.get(key);
    this.#pending.set(key, before ? later(before, hint) : hint);
  }

  async #flush(): Promise<void> {
    // Whatever else happens in this turn of the event loop goes along.
    await new Promise(setImmediate);
    try {
      while (this.#pending.size > 0 && this.#client) {
        const payloads = payloadsOf(this.#id, [...this.#pending.values()]);
        this.#pending.clear();
        try {
          await this.#client.query({
            name: "turnwire_notify",
            text: `SELECT pg_notify('${CHANNEL}', payload) FROM unnest($1::text[]) AS payload`,
            values: [payloads],
          });
        } catch {
          // The connection is being replaced; then everybody looks at everything.
          return;
        }
      }
    } finally {
      // In the same step as the last look at what is pending: what comes later is sent again.
      this.#flushing = undefined;
    }
  }

  async #connect(): Promise<Connection> {
    const client = new Client(connectionSettings(this.#options.url));
    const lost = new Promise<void>((resolve) => {
      client.on("error", () => resolve());
      client.on("end", () => resolve());
    });
    client.on("notification", ({ payload }) => this.#receive(payload ?? ""));
    try {
      await client.connect();
      await client.query(timeLimits);
      await client.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    this.#client = client;
    return { lost };
  }

  async #stayConnected(first: Connection): Promise<void> {
    const { signal } = this.#closing;
    let connection = first;
    while (!signal.aborted) {
      await this.#whileAlive(connection);
      const broken = this.#client;
      this.#client = undefined;
      // Not awaited: a server that does not answer takes its time.
      broken?.end().catch(() => undefined);
      if (signal.aborted) return;
      const next = await this.#reconnect();
      if (!next) return;
      connection = next;
      this.#reconnects += 1;
      this.#options.onHint({ type: "gap" });
      this.send({ type: "gap" });
    }
  }

  /** Waits until the connection is lost, or does not answer. */
  async #whileAlive({ lost }: Connection): Promise<void> {
    const { signal } = this.#closing;
    for (;;) {
      const timer = new AbortController();
      const waited = delay(TRY_MS, "due", { signal: timer.signal }).catch(() => "ended");
      const outcome = await Promise.race([lost.then(() => "lost"), waited]);
      timer.abort();
      if (outcome !== "due" || signal.aborted) return;
      const answer = this.#client?.query("SELECT 1").then(
        () => true,
        () => false,
      );
      if (!(await answer)) return;
    }
  }

  async #reconnect(): Promise<Connection | undefined> {
    const { signal } = this.#closing;
    for (let pause: number = RECONNECT_MS.first; !signal.aborted;) {
      const connection = await this.#connect().catch(() => undefined);
      if (signal.aborted) return undefined;
      if (connection) return connection;
      await delay(pause, undefined, { signal }).catch(() => undefined);
      pause = Math.min(2 * pause, RECONNECT_MS.most);
    }
    return undefined;
  }

  #receive(payload: string): void {
    const message = messageFrom(payload);
    if (message?.from === this.#id) return;
    for (const hint of message?.hints ?? []) this.#options.onHint(hint);
  }
}

/** Whoever may connect to the database can notify, and hosts of other versions do: what is not a hint of ours is left out. */
function messageFrom(payload: string): Message | undefined {
  let message: unknown;
  try {
    message = JSON.parse(payload);
  } catch {
    return undefined;
  }
  const { from, hints } = fieldsOf(message);
  return typeof from === "string" && Array.isArray(hints)
    ? { from, hints: hints.filter(isHint) }
    : undefined;
}

function isHint(hint: unknown): hint is StoreHint {
  const { type, sessionId, head, isRecordChanged, owner, entryId, key } = fieldsOf(hint);
  switch (type) {
    case "events":
      return (
        typeof sessionId === "string" &&
        Number.isSafeInteger(head) &&
        typeof isRecordChanged === "boolean"
      );
    case "created":
    case "released":
    case "inbox":
      return typeof sessionId === "string";
    case "removed":
      return typeof sessionId === "string" && typeof owner === "string";
    case "answer":
      return typeof entryId === "string";
    case "value":
      return typeof key === "string";
    default:
      return type === "gap";
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Hints with the same key become one. */
function keyOf(hint: StoreHint): string {
  switch (hint.type) {
    case "events":
    case "created":
    case "removed":
    case "released":
    case "inbox":
      return `${hint.type} ${hint.sessionId}`;
    case "answer":
      return `answer ${hint.entryId}`;
    case "value":
      return `value ${hint.key}`;
    case "gap":
      return "gap";
  }
}

function later(before: StoreHint, hint: StoreHint): StoreHint {
  if (before.type !== "events" || hint.type !== "events") return hint;
  const head = Math.max(before.head, hint.head);
  return { ...hint, head, isRecordChanged: before.isRecordChanged || hint.isRecordChanged };
}

/** Hints as few payloads as they fit into. */
export function payloadsOf(from: string, hints: readonly StoreHint[]): string[] {
  const room = PAYLOAD_BYTES - Buffer.byteLength(JSON.stringify({ from, hints: [] }));
  const payloads: string[] = [];
  let texts: string[] = [];
  let size = 0;
  const close = () => {
    if (texts.length > 0)
      payloads.push(`{"from":${JSON.stringify(from)},"hints":[${texts.join(",")}]}`);
    texts = [];
    size = 0;
  };
  for (const hint of hints) {
    const whole = JSON.stringify(hint);
    // A hint that is itself too long, as with a very long owner, becomes one that fits.
    const text = Buffer.byteLength(whole) > room ? JSON.stringify({ type: "gap" }) : whole;
    const bytes = Buffer.byteLength(text) + 1;
    if (size + bytes > room) close();
    texts.push(text);
    size += bytes;
  }
  close();
  return payloads;
}
