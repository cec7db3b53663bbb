import { type ContentBlock, type JsonObject, partText, textFromContent } from "@turnwire/protocol";
import type { StoredEvent } from "../store.ts";

/** What an event changes of what was said in its session, as a search sees it. */
export type SaidChange =
  | {
      readonly type: "said";
      readonly seq: number;
      readonly role: "user" | "assistant";
      readonly messageId: string;
      readonly turnId: string | undefined;
      readonly text: string;
    }
  | {
      readonly type: "turn_started";
      readonly seq: number;
      readonly turnId: string;
      readonly messageId: string | undefined;
    }
  /** This turn and all after it no longer belong to the conversation. */
  | { readonly type: "rolled_back"; readonly turnId: string }
  /** The message was taken back before it had a turn. */
  | { readonly type: "cancelled"; readonly messageId: string };

/** The events that `changeFrom` looks at: all others need not even be parsed. */
const searched: ReadonlySet<string> = new Set([
  "user_message",
  "message_complete",
  "turn_started",
  "rolled_back",
  "message_cancelled",
]);

export function isSearched(type: string): boolean {
  return searched.has(type);
}

/** Of a longer text only the beginning is found. */
const MAX_TEXT = 100_000;

/** The parts of the searched events that matter here, as the log wrote them. */
interface Envelope {
  readonly seq: number;
  readonly turn_id?: string;
  readonly data: {
    readonly message_id?: string;
    readonly turn_id?: string;
    readonly content?: readonly ContentBlock[];
    readonly message?: { readonly content?: readonly JsonObject[] };
    readonly retracted?: boolean;
  };
}

/** What an event changes; undefined when nothing. Only what people and agents said counts, not tools and their output. */
export function changeFrom({ seq, type, json }: StoredEvent): SaidChange | undefined {
  if (!isSearched(type)) return undefined;
  const { turn_id: turnId, data } = JSON.parse(json) as Envelope;
  const { message_id: messageId = "" } = data;
  switch (type) {
    case "user_message": {
      const text = textFromContent(data.content ?? []);
      return said({ seq, role: "user", messageId, turnId, text });
    }
    case "message_complete": {
      if (data.retracted === true) return undefined;
      const text = (data.message?.content ?? []).map(partText).filter(Boolean).join("\n\n");
      return said({ seq, role: "assistant", messageId, turnId, text });
    }
    case "turn_started":
      return { type: "turn_started", seq, turnId: data.turn_id ?? "", messageId: data.message_id };
    case "rolled_back":
      return { type: "rolled_back", turnId: data.turn_id ?? "" };
    default:
      return { type: "cancelled", messageId };
  }
}

type SaidMessage = Omit<Extract<SaidChange, { type: "said" }>, "type">;

function said(message: SaidMessage): SaidChange | undefined {
  const text = message.text.slice(0, MAX_TEXT).replaceAll("\0", " ");
  return text.trim() === "" ? undefined : { type: "said", ...message, text };
}
