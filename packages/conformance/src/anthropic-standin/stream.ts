import { randomBytes } from "node:crypto";
import { ConnectionCut } from "../standin/answer.ts";
import type { Gates } from "../standin/gates.ts";
import { piecesOf } from "../standin/piece.ts";
import type { Beat, Reply, TokenUsage } from "./script.ts";

/** An event of the Messages stream. */
export interface StreamEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface StreamOptions {
  readonly model: string;
  readonly gates: Gates;
  /** Aborted when the client has gone away. */
  readonly signal: AbortSignal;
}

interface OpenBlock {
  readonly index: number;
  readonly kind: "text" | "thinking";
}

const signature = "c2lnbmVk";
const defaultUsage = { input_tokens: 100, output_tokens: 0 };

/** Plays a reply as the events of one message. */
export async function* streamReply(
  reply: Reply,
  options: StreamOptions,
): AsyncGenerator<StreamEvent> {
  const usage: TokenUsage = { ...defaultUsage, ...usageOf(reply) };
  const message = emptyMessage(options.model, { ...usage, output_tokens: 1 });
  yield { type: "message_start", message };
  let open: OpenBlock | undefined;
  let blocks = 0;
  let words = 0;
  for (const beat of reply) {
    if (open && !continues(open, beat)) {
      yield* closeBlock(open);
      open = undefined;
    }
    switch (beat.type) {
      case "text":
      case "thinking":
        if (!open) {
          open = { index: blocks++, kind: beat.type };
          yield blockStart(open.index, emptyBlock(beat.type));
        }
        for (const piece of piecesOf(beat.text)) {
          words += 1;
          yield blockDelta(open.index, { type: `${beat.type}_delta`, [beat.type]: piece });
        }
        break;
      case "tool_use":
        words += 1;
        yield* toolUseEvents(blocks++, beat);
        break;
      case "gate":
        await options.gates.pass(beat.name, options.signal);
        break;
      case "fail":
        yield { type: "error", error: apiError(beat.status) };
        return;
      case "cut":
        throw new ConnectionCut();
      case "stop":
      case "usage":
        break;
    }
  }
  if (open) yield* closeBlock(open);
  yield {
    type: "message_delta",
    delta: { stop_reason: stopReasonOf(reply), stop_sequence: null },
    usage: { output_tokens: usage.output_tokens || words },
  };
  yield { type: "message_stop" };
}

/** A reply as one message, for a client that does not stream; gates and cuts have no place in it. */
export function messageFromReply(reply: Reply, model: string): object {
  const content = reply.flatMap((beat): object[] => {
    switch (beat.type) {
      case "text":
        return [{ type: "text", text: beat.text }];
      case "thinking":
        return [{ type: "thinking", thinking: beat.text, signature }];
      case "tool_use":
        return [{ type: "tool_use", id: newId("toolu"), name: beat.name, input: beat.input }];
      case "gate":
      case "fail":
      case "cut":
      case "stop":
      case "usage":
        return [];
    }
  });
  const usage = { ...defaultUsage, output_tokens: content.length, ...usageOf(reply) };
  return { ...emptyMessage(model, usage), content, stop_reason: stopReasonOf(reply) };
}

/** The error object that goes with a status, as the API words it. */
export function apiError(status: number): { type: string; message: string } {
  const type = errorTypes.get(status) ?? (status >= 500 ? "api_error" : "invalid_request_error");
  return { type, message: `scripted ${status}` };
}

const errorTypes = new Map([
  [400, "invalid_request_error"],
  [401, "authentication_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [413, "request_too_large"],
  [429, "rate_limit_error"],
  [529, "overloaded_error"],
]);

function emptyMessage(model: string, usage: TokenUsage): object {
  return {
    id: newId("msg"),
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
}

/** A gate, a usage or a stop reason leaves the block open: a stream can be held in its middle. */
function continues(open: OpenBlock, beat: Beat): boolean {
  return beat.type === open.kind || !["text", "thinking", "tool_use"].includes(beat.type);
}

function emptyBlock(kind: OpenBlock["kind"]): object {
  return kind === "text" ? { type: "text", text: "" } : { type: "thinking", thinking: "" };
}

function* closeBlock({ index, kind }: OpenBlock): Generator<StreamEvent> {
  if (kind === "thinking") {
    yield blockDelta(index, { type: "signature_delta", signature });
  }
  yield { type: "content_block_stop", index };
}

function* toolUseEvents(
  index: number,
  { name, input }: Extract<Beat, { type: "tool_use" }>,
): Generator<StreamEvent> {
  yield blockStart(index, { type: "tool_use", id: newId("toolu"), name, input: {} });
  for (const partial_json of JSON.stringify(input).match(/[^,:]+[,:]*/g) ?? []) {
    yield blockDelta(index, { type: "input_json_delta", partial_json });
  }
  yield { type: "content_block_stop", index };
}

function blockStart(index: number, content_block: object): StreamEvent {
  return { type: "content_block_start", index, content_block };
}

function blockDelta(index: number, delta: object): StreamEvent {
  return { type: "content_block_delta", index, delta };
}

function stopReasonOf(reply: Reply): string {
  const stop = reply.findLast((beat) => beat.type === "stop");
  if (stop) return stop.reason;
  return reply.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn";
}

function usageOf(reply: Reply): TokenUsage {
  return reply.findLast((beat) => beat.type === "usage")?.usage ?? {};
}

function newId(prefix: string): string {
  return `${prefix}_${randomBytes(9).toString("hex")}`;
}
