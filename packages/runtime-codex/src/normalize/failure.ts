import { isObject } from "@turnwire/base";
import { draft, type EventData } from "@turnwire/protocol";
import * as z from "zod";
import { andThen } from "@turnwire/runtime";
import type { CodexMessageOf, TurnError } from "../protocol/message.ts";
import { retractSpeech } from "./speech.ts";
import { type CodexState, isRoot, placeOf, type Step } from "./state.ts";

const Refusal = z.object({ error: z.object({ message: z.string() }) });

const passing: ReadonlySet<string> = new Set([
  "server_overloaded",
  "rate_limit_exceeded",
  "internal_server_error",
  "http_connection_failed",
  "response_stream_connection_failed",
  "response_stream_disconnected",
  "response_too_many_failed_attempts",
]);

const refusals: ReadonlySet<unknown> = new Set([400, 401, 403, 404]);

/** The model failed: it is asked again, or the turn is lost. */
export function takeError(state: CodexState, { params }: CodexMessageOf<"error">): Step {
  const { error, willRetry, threadId } = params;
  const place = placeOf(state, params);
  if (!willRetry) {
    const { turn } = state;
    const isOwn = turn && isRoot(state, threadId);
    const next = isOwn ? { ...state, turn: { ...turn, isErrorReported: true } } : state;
    return [next, [draft("error", errorFrom(error), place)]];
  }
  const why = error.additionalDetails ?? error.message;
  const [, attempt, most] = /(\d+)\/(\d+)/.exec(error.message) ?? [];
  const count = attempt === undefined ? "" : ` Retry ${attempt} of ${most}.`;
  const text = `The model's answer broke off (${why}).${count}`;
  return andThen(retractSpeech(state, threadId), (next) => [
    next,
    [draft("notice", { level: "warning", text, notice_id: "retry" }, place)],
  ]);
}

/** An error in the protocol's words. */
export function errorFrom(error: TurnError): { code: string; message: string; retryable: boolean } {
  const { code, status } = causeOf(error);
  return {
    code,
    message: wordsOf(error.message),
    retryable: passing.has(code) && !refusals.has(status),
  };
}

/** Of a refusal Codex 0.166.0 hands on the whole body of the answer: a person reads its words. */
export function wordsOf(message: string): string {
  try {
    return Refusal.parse(JSON.parse(message)).error.message;
  } catch {
    // Already a readable message.
    return message;
  }
}

/** `codex exec` reports an error in words alone: of a refusal they are the answer's body, or name its status (0.166.0). */
export function execErrorFrom(message: string): EventData<"error"> {
  const words = wordsOf(message);
  const status = Number(/unexpected status (\d{3})\b/.exec(message)?.[1]);
  const isRefused = words !== message || refusals.has(status);
  return { code: "agent_failed", message: words, retryable: !isRefused };
}

/** Codex names the cause by a word, or by an object with that word as its only key. */
function causeOf({ codexErrorInfo: info }: TurnError): { code: string; status?: unknown } {
  if (typeof info === "string") return { code: snakeCase(info) };
  const [entry] = Object.entries(info ?? {});
  if (!entry) return { code: "other" };
  const [word, details] = entry;
  return { code: snakeCase(word), ...(isObject(details) && { status: details["httpStatusCode"] }) };
}

function snakeCase(word: string): string {
  return word.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
}
