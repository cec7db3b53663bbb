import { defined } from "@turnwire/base";
import { ConnectionCut } from "../standin/answer.ts";
import type { Gates } from "../standin/gates.ts";
import { piecesOf } from "../standin/piece.ts";
import { OpenItem } from "./open-item.ts";
import { newId, outputDone, type StreamEvent } from "./stream-event.ts";
import type { Beat, CallBeat, Reply, TokenUsage } from "./script.ts";

export interface StreamOptions {
  readonly gates: Gates;
  /** Aborted when the client has gone away. */
  readonly signal: AbortSignal;
}

/** Plays a reply as the events of one response. */
export async function* streamReply(
  reply: Reply,
  options: StreamOptions,
): AsyncGenerator<StreamEvent> {
  const response = { id: newId("resp") };
  yield { type: "response.created", response };
  let open: OpenItem | undefined;
  let index = 0;
  for (const beat of reply) {
    if (open && !open.takes(beat)) {
      yield open.done();
      open = undefined;
    }
    switch (beat.type) {
      case "text":
      case "summary":
      case "thought":
        if (!open) {
          open = new OpenItem(beat, index++);
          yield open.added();
        }
        yield* open.begin(beat);
        for (const piece of piecesOf(beat.text)) {
          yield open.delta(beat.type, piece);
        }
        break;
      case "gate":
        await options.gates.pass(beat.name, options.signal);
        break;
      case "whole":
      case "call":
      case "patch":
      case "item":
        yield outputDone(itemFrom(beat), index++);
        break;
      case "failed": {
        const error = { code: beat.code, message: `scripted ${beat.code}` };
        yield { type: "response.failed", response: { ...response, error } };
        return;
      }
      case "incomplete": {
        const incomplete_details = { reason: "max_output_tokens" };
        yield { type: "response.incomplete", response: { ...response, incomplete_details } };
        return;
      }
      case "cut":
        throw new ConnectionCut();
      case "broken":
        yield { type: "broken", text: 'event: response.output_text.delta\ndata: {"type": hal\n\n' };
        return;
      case "fail":
      case "usage":
        break;
    }
  }
  if (open) yield open.done();
  yield { type: "response.completed", response: { ...response, usage: usageOf(reply) } };
}

type ItemBeat = Extract<Beat, { type: "whole" | "call" | "patch" | "item" }>;

function itemFrom(beat: ItemBeat): object {
  switch (beat.type) {
    case "whole": {
      const content = [{ type: "output_text", text: beat.text }];
      return { type: "message", id: newId("msg"), role: "assistant", content };
    }
    case "call":
      return callFrom(beat);
    case "patch":
      return {
        type: "custom_tool_call",
        id: newId("ctc"),
        call_id: newId("call"),
        name: "apply_patch",
        input: beat.patch,
      };
    case "item":
      return { id: newId("out"), ...beat.item };
  }
}

function callFrom({ name, namespace, input }: CallBeat): object {
  return {
    type: "function_call",
    id: newId("fc"),
    call_id: newId("call"),
    name,
    ...defined({ namespace }),
    arguments: JSON.stringify(input),
  };
}

function usageOf(reply: Reply): object {
  const set: TokenUsage = reply.findLast((beat) => beat.type === "usage")?.usage ?? {};
  const { input = 100, cached = 10, output = 20, reasoning = 5 } = set;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}
