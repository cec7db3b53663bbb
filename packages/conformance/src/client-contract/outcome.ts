import {
  isRequest,
  isResolution,
  type JsonObject,
  requestId,
  type SessionEvent,
} from "@turnwire/protocol";

/** A client's reading of a log: small enough to be written in any language. */
export interface ClientOutcome {
  /** The seq of the last event that counts. */
  readonly seq: number;
  /** How many events there were of each type. */
  readonly counts: Readonly<Record<string, number>>;
  /** The text of each agent message by its id. */
  readonly texts: Readonly<Record<string, string>>;
  readonly tools: Readonly<Record<string, "running" | "ok" | "error">>;
  /** `open`, or the outcome, by correlation or interrupt id. */
  readonly requests: Readonly<Record<string, string>>;
  /** In the order they started; subtype is null without a result. */
  readonly turns: readonly {
    readonly turn_id: string;
    readonly subtype: string | null;
    readonly is_done: boolean;
  }[];
}

/** The outcome that a client must report after these events, as the README defines it. */
export function outcomeOf(events: readonly SessionEvent[]): ClientOutcome {
  const counts: Record<string, number> = {};
  const texts: Record<string, string> = {};
  const tools: Record<string, "running" | "ok" | "error"> = {};
  const requests: Record<string, string> = {};
  const turns: { turn_id: string; subtype: string | null; is_done: boolean }[] = [];
  const turnOf = (id: string) => turns.find(({ turn_id }) => turn_id === id);
  for (const event of events) {
    const { type, data } = event;
    counts[type] = (counts[type] ?? 0) + 1;
    switch (type) {
      case "delta":
        if (data.text !== "") texts[data.message_id] = (texts[data.message_id] ?? "") + data.text;
        break;
      case "message_complete": {
        if (data.retracted === true) delete texts[data.message_id];
        const text = data.message.content.map(textOf).join("");
        if (texts[data.message_id] === undefined && text !== "") texts[data.message_id] = text;
        break;
      }
      case "tool_start":
        tools[data.tool_use_id] = "running";
        break;
      case "tool_result":
        tools[data.tool_use_id] = data.is_error ? "error" : "ok";
        break;
      case "turn_started":
        turns.push({ turn_id: data.turn_id, subtype: null, is_done: false });
        break;
      case "result": {
        const turn = turnOf(data.turn_id);
        if (turn) turn.subtype = data.subtype;
        break;
      }
      case "done": {
        const turn = turnOf(data.turn_id);
        if (turn) turn.is_done = true;
        break;
      }
      default:
        if (isRequest(event)) requests[requestId(event)] = "open";
        else if (isResolution(event)) requests[requestId(event)] = event.data.outcome;
    }
  }
  return { seq: events.at(-1)?.seq ?? 0, counts, texts, tools, requests, turns };
}

function textOf({ type, text }: JsonObject): string {
  return type === "text" && typeof text === "string" ? text : "";
}
