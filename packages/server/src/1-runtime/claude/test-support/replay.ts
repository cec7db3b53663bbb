import {
  type Control,
  draft,
  type EventDraft,
  foldControl,
  initialControl,
  JsonObject,
  noCapabilities,
  PROTOCOL_VERSION,
  type SessionEvent,
} from "@turnwire/protocol";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { resolveAll } from "../../../2-session/decide/resolve.ts";
import { settle } from "../../../2-session/settle.ts";
import type { ClaudeState } from "../normalize.ts";
import { claudeNormalizer } from "../normalize.ts";

const fixtures = new URL("../fixtures/", import.meta.url);

/** The names of all recorded streams. */
export function fixtureNames(): string[] {
  const files = readdirSync(fileURLToPath(fixtures));
  return files.flatMap((file) => /^(.*)\.ndjson$/.exec(file)?.[1] ?? []);
}

/** The messages of a recorded stream. */
export function readFixture(name: string): JsonObject[] {
  const lines = readFileSync(new URL(`${name}.ndjson`, fixtures), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => JsonObject.parse(JSON.parse(line)));
}

/** Stands where a session stands: what the normalizer says becomes a log. */
export class Replay {
  readonly log: SessionEvent[];
  /** What the normalizer said, without what a session adds. */
  readonly drafts: EventDraft[] = [];
  #state: ClaudeState;
  #control: Control;

  private constructor(log: SessionEvent[], state: ClaudeState, control: Control) {
    this.log = log;
    this.#state = state;
    this.#control = control;
  }

  static start(): Replay {
    const replay = new Replay([], claudeNormalizer.initial(), initialControl());
    replay.#record(
      draft("session_ready", {
        session_id: "s1",
        protocol_version: PROTOCOL_VERSION,
        runtime: "claude",
        capabilities: noCapabilities,
      }),
    );
    return replay;
  }

  static of(messages: Iterable<unknown>): Replay {
    const replay = Replay.start();
    for (const message of messages) replay.take(message);
    return replay;
  }

  get state(): ClaudeState {
    return this.#state;
  }

  /** Takes one native message; gives back what it became. */
  take(message: unknown): readonly EventDraft[] {
    this.#precede(message);
    const [state, drafts] = claudeNormalizer.step(this.#state, message);
    this.#state = state;
    for (const event of drafts) this.#admit(event);
    return drafts;
  }

  /** What the log would be if the agent died now. */
  endNow(): SessionEvent[] {
    const ended = new Replay([...this.log], this.#state, this.#control);
    const death = { type: "died", message: "gone" } as const;
    for (const event of claudeNormalizer.end(this.#state, death)) ended.#admit(event);
    const cause = { code: "agent_exited", message: "gone" } as const;
    for (const event of settle(ended.#control, cause)) ended.#record(event);
    return ended.log;
  }

  /** What a session writes before its run says what it has done. */
  #precede(message: unknown): void {
    const known = JsonObject.safeParse(message).data ?? {};
    if (known["type"] === "turnwire/turn_sent" && typeof known["turn_id"] === "string") {
      const { turn_id } = known;
      const content = [{ type: "text" as const, text: "…" }];
      const message_id = `message-of-${turn_id}`;
      this.#record(draft("user_message", { message_id, content, delivery: "turn" }));
      this.#record(draft("turn_started", { turn_id, message_id }, { turn_id }));
    }
    if (known["type"] === "turnwire/interrupt_sent") this.#cancelRequests();
  }

  #admit(event: EventDraft): void {
    this.drafts.push(event);
    if (event.type === "done") this.#cancelRequests();
    this.#record(event);
  }

  #cancelRequests(): void {
    for (const event of resolveAll(this.#control, "cancelled")) this.#record(event);
  }

  #record(event: EventDraft): void {
    const seq = this.log.length + 1;
    const { turn, last_turn_id } = this.#control;
    const turn_id = event.turn_id ?? turn?.turn_id ?? last_turn_id ?? undefined;
    const ts = new Date(seq).toISOString();
    const recorded = { ...event, seq, ts, ...(turn_id !== undefined && { turn_id }) };
    this.log.push(recorded);
    this.#control = foldControl(this.#control, recorded);
  }
}

/** Events as lines that people can read. */
export function linesFrom(events: readonly EventDraft[]): string {
  const lines = events.map(({ type, data, turn_id, subagent_id }) => {
    const places = [turn_id && `turn ${turn_id}`, subagent_id && `sub-agent ${subagent_id}`];
    const place = places.filter(Boolean).join(", ");
    return `${type} ${JSON.stringify(data)}${place && ` (${place})`}`;
  });
  return `${lines.join("\n")}\n`;
}
