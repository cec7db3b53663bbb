import { isObject } from "@turnwire/base";
import type { RelayText } from "./relay-frame.ts";

/** The meaning of a line from a relay for a front end that sorts lines by session. */
export type RelayLine =
  | { readonly type: "ignored" }
  | {
      readonly type: "status";
      /** The agent has left; the connection to the relay stays open. */
      readonly isDisconnected: boolean;
      /** Only this session's agent; without it, all agents of the relay. */
      readonly sessionId?: string;
    }
  | RelayMessage;

export interface RelayMessage {
  readonly type: "message";
  readonly sessionId?: string;
  /** It introduces its session. */
  readonly isInit: boolean;
  /** It shows something in the conversation. */
  readonly isContent: boolean;
  /** The line was not JSON: what is known of it was found by patterns. */
  readonly isRecovered: boolean;
  readonly model?: string;
  readonly cwd?: string;
}

const SESSION_PATTERN = /session(?:_id|Id)?(?:["'=\s:]+)([a-z0-9._-]{8,})/i;
const INIT_PATTERN = /\[(?:init|system\/init)\]|\bsubtype["'=\s:]+init\b/i;

/** Some relays put a line into an envelope, and that into another. */
const DEEPEST_ENVELOPE = 4;

/** Lines that keep the connection, or answer something that a front end did not show. */
const SILENT_TYPES: ReadonlySet<unknown> = new Set([
  "keep_alive",
  "control_response",
  "control_cancel_request",
]);

export function relayLineFrom({ text, value }: RelayText): RelayLine {
  if (value === undefined) return recovered(text);
  const line = unwrapped(value);
  if (!line) return { type: "ignored" };
  const { type } = line;
  const sessionId = sessionIdOf(line);
  const named = sessionId === undefined ? {} : { sessionId };
  if (type === "status") return { type, isDisconnected: isDisconnected(line), ...named };
  const isInit = type === "init" || (type === "system" && line["subtype"] === "init");
  const isContent = !isInit && type !== "system" && !SILENT_TYPES.has(type);
  if (!isContent && sessionId === undefined) return { type: "ignored" };
  return {
    type: "message",
    ...named,
    isInit,
    isContent,
    isRecovered: false,
    ...(isInit && textsOf(line, ["model", "cwd"])),
  };
}

function recovered(text: string): RelayMessage {
  const sessionId = SESSION_PATTERN.exec(text)?.[1];
  return {
    type: "message",
    ...(sessionId !== undefined && { sessionId }),
    isInit: INIT_PATTERN.test(text),
    isContent: true,
    isRecovered: true,
  };
}

function unwrapped(value: unknown): Readonly<Record<string, unknown>> | undefined {
  let line = value;
  for (let depth = 0; depth < DEEPEST_ENVELOPE; depth += 1) {
    if (!isObject(line) || line["type"] !== "raw" || !isObject(line["data"])) break;
    line = line["data"];
  }
  return isObject(line) ? line : undefined;
}

/** Only the line's own: one in a tool's output belongs to whatever the tool talked about. */
function sessionIdOf(line: Readonly<Record<string, unknown>>): string | undefined {
  const id = line["session_id"] ?? line["sessionId"];
  return typeof id === "string" && id !== "" ? id : undefined;
}

function isDisconnected(line: Readonly<Record<string, unknown>>): boolean {
  const text = line["text"] ?? line["content"];
  return typeof text === "string" && text.includes("disconnected");
}

function textsOf<Name extends string>(
  line: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): { readonly [Field in Name]?: string } {
  const texts: { [Field in Name]?: string } = {};
  for (const name of names) {
    const value = line[name];
    if (typeof value === "string" && value !== "") texts[name] = value;
  }
  return texts;
}
