import { once } from "node:events";
import type { ServerResponse } from "node:http";
import {
  encodeSseComment,
  encodeSseFrame,
  foldAll,
  initialState,
  type EventDraft,
  type SessionEvent,
  type SessionState,
} from "@turnwire/protocol";
import { placed } from "./sample-event.ts";

/** How one stream is cut short. */
export interface StreamPlan {
  /** So many bytes of the body are sent, then the connection ends. */
  readonly bytes: number;
  readonly end: "destroy" | "close";
}

/** A log as PROTOCOL.md §5 serves it, with streams that end where a test says. */
export class ScriptedSession {
  readonly id: string;
  epoch = "e1";
  /** Events up to and with this one are gone. */
  trimmed = 0;
  /** Taken one a stream, in order; a stream without a plan stays open. */
  readonly plans: StreamPlan[] = [];
  /** Taken one a patch of the shared state: what others do just before it is looked at. */
  readonly races: (readonly EventDraft[])[] = [];
  readonly inputs = new Map<string, { text: string; seq: number }>();
  readonly #streams = new Set<ServerResponse>();
  #events: readonly SessionEvent[];

  constructor(id: string, events: readonly SessionEvent[]) {
    this.id = id;
    this.#events = events;
  }

  get events(): readonly SessionEvent[] {
    return this.#events;
  }

  get head(): number {
    return this.#events.length;
  }

  get state(): SessionState {
    return foldAll(initialState(), this.#events);
  }

  get streamCount(): number {
    return this.#streams.size;
  }

  append(...drafts: EventDraft[]): SessionEvent[] {
    const added = placed(drafts, this.head);
    this.#events = [...this.#events, ...added];
    this.write(added.map((event) => frameOf(event)).join(""));
    return added;
  }

  /** Sends text to all open streams, whatever it says. */
  write(text: string): void {
    for (const stream of this.#streams) stream.write(text);
  }

  keepalive(): void {
    this.write(encodeSseComment("keepalive"));
  }

  /** Resolves when no reader is left. */
  async whenStreamless(): Promise<void> {
    await Promise.all([...this.#streams].map((stream) => once(stream, "close")));
  }

  /** Lets all readers go, as at a shutdown. */
  endStreams(hint = ""): void {
    for (const stream of this.#streams) stream.end(hint);
  }

  canServe(after: number, epoch: string | null): boolean {
    return after <= this.head && after >= this.trimmed && (epoch === null || epoch === this.epoch);
  }

  stream(response: ServerResponse, after: number): void {
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "turnwire-epoch": this.epoch,
      "turnwire-head": String(this.head),
      "turnwire-after": String(after),
    });
    response.flushHeaders();
    const body = Buffer.from(
      this.#events
        .slice(after)
        .map((event) => frameOf(event))
        .join(""),
    );
    const plan = this.plans.shift();
    if (plan) {
      const sent = body.subarray(0, plan.bytes);
      if (plan.end === "close") response.end(sent);
      else response.write(sent, () => response.destroy());
      return;
    }
    if (body.length > 0) response.write(body);
    if (this.#events.at(-1)?.type === "session_closed") {
      response.end();
      return;
    }
    this.#streams.add(response);
    response.on("close", () => this.#streams.delete(response));
  }
}

export function frameOf(event: SessionEvent): string {
  return encodeSseFrame({ id: String(event.seq), event: event.type, data: JSON.stringify(event) });
}
