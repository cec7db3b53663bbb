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
import { resolveAll } from "../../../server/src/2-session/decide/resolve.ts";
import { settle } from "../../../server/src/2-session/decide/settle.ts";
import type { Normalizer } from "../normalizer.ts";

/** A folder of recorded streams. */
export class Fixtures {
  readonly #folder: URL;

  constructor(folder: URL) {
    this.#folder = folder;
  }

  /** The names of all recorded streams. */
  names(): string[] {
    const files = readdirSync(fileURLToPath(this.#folder));
    return files.flatMap((file) => /^(.*)\.ndjson$/.exec(file)?.[1] ?? []);
  }

  /** The messages of a recorded stream. */
  read(name: string): JsonObject[] {
    const text = readFileSync(new URL(`${name}.ndjson`, this.#folder), "utf8");
    return text
      .trim()
      .split("\n")
      .map((line) => JsonObject.parse(JSON.parse(line)));
  }
}

/** What the run says before a session acts on it; the word is the method or the type. */
interface Spoken {
  readonly word: unknown;
  readonly facts: JsonObject;
}

/** Stands where a session stands: what the normalizer says becomes a log. */
export class Replay<State> {
  readonly log: SessionEvent[];
  /** What the normalizer said, without what a session adds. */
  readonly drafts: EventDraft[] = [];
  readonly #normalizer: Normalizer<unknown, State>;
  #state: State;
  #control: Control;

  private constructor(
    normalizer: Normalizer<unknown, State>,
    { log, state, control }: { log: SessionEvent[]; state: State; control: Control },
  ) {
    this.#normalizer = normalizer;
    this.log = log;
    this.#state = state;
    this.#control = control;
  }

  static start<State>(normalizer: Normalizer<unknown, State>): Replay<State> {
    const start = { log: [], state: normalizer.initial(), control: initialControl() };
    const replay = new Replay(normalizer, start);
    replay.#record(
      draft("session_ready", {
        session_id: "s1",
        protocol_version: PROTOCOL_VERSION,
        runtime: "replayed",
        capabilities: noCapabilities,
      }),
    );
    return replay;
  }

  static of<State>(
    normalizer: Normalizer<unknown, State>,
    messages: Iterable<unknown>,
  ): Replay<State> {
    const replay = Replay.start(normalizer);
    for (const message of messages) replay.take(message);
    return replay;
  }

  get state(): State {
    return this.#state;
  }

  /** Takes one native message; gives back what it became. */
  take(message: unknown): readonly EventDraft[] {
    this.#precede(spokenIn(message));
    const [state, drafts] = this.#normalizer.step(this.#state, message);
    this.#state = state;
    for (const event of drafts) this.#admit(event);
    return drafts;
  }

  /** What the log would be if the agent died now. */
  endNow(): SessionEvent[] {
    const ended = new Replay(this.#normalizer, {
      log: [...this.log],
      state: this.#state,
      control: this.#control,
    });
    const death = { type: "died", message: "gone" } as const;
    for (const event of this.#normalizer.end(this.#state, death)) ended.#admit(event);
    const cause = { code: "agent_exited", message: "gone" } as const;
    for (const event of settle(ended.#control, cause)) ended.#record(event);
    return ended.log;
  }

  /** What a session writes before its run says what it has done. */
  #precede({ word, facts }: Spoken): void {
    if (word === "turnwire/turn_sent" && typeof facts["turn_id"] === "string") {
      const { turn_id } = facts;
      const content = [{ type: "text" as const, text: "…" }];
      const message_id = `message-of-${turn_id}`;
      this.#record(draft("user_message", { message_id, content, delivery: "turn" }));
      this.#record(draft("turn_started", { turn_id, message_id }, { turn_id }));
    }
    if (word === "turnwire/interrupt_sent") this.#cancelRequests();
    if (word === "turnwire/answer_sent") this.#answer(facts["correlation_id"]);
  }

  /** The answer does not matter here, only that the request is over. */
  #answer(id: JsonObject[string] | undefined): void {
    for (const event of resolveAll(this.#control, "cancelled")) {
      if ("correlation_id" in event.data && event.data.correlation_id === id) this.#record(event);
    }
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

function spokenIn(message: unknown): Spoken {
  const known = JsonObject.safeParse(message).data ?? {};
  const params = JsonObject.safeParse(known["params"]).data ?? {};
  return { word: known["method"] ?? known["type"], facts: { ...known, ...params } };
}

export function typesOf(drafts: readonly EventDraft[]): string[] {
  return drafts.map(({ type }) => type);
}

export function ofType<Type extends EventDraft["type"]>(
  drafts: readonly EventDraft[],
  type: Type,
): Extract<EventDraft, { type: Type }>[] {
  return drafts.filter(
    (event): event is Extract<EventDraft, { type: Type }> => event.type === type,
  );
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
