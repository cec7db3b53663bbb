import type { Block, EventData, SessionState, Usage } from "@turnwire/protocol";
import type { Frame } from "../dialect.ts";
import { frameOf } from "./line.ts";
import { blocksOfTurn } from "./speech.ts";

/** How a turn ended, with what was denied and what failed in it. */
export function resultFrame(state: SessionState, data: EventData<"result">): Frame {
  const { turn_id, text = "", structured_output, duration_ms = 0, total_cost_usd = 0 } = data;
  const ending = endingOf(data);
  const blocks = blocksOfTurn(state, turn_id);
  return frameOf(state, `result/${turn_id}`, {
    type: "result",
    ...ending,
    result: text,
    ...(structured_output !== undefined && { structured_output }),
    duration_ms,
    duration_api_ms: duration_ms,
    num_turns: Math.max(1, messageIdsIn(blocks).size),
    total_cost_usd,
    usage: usageOf(data.usage),
    modelUsage: modelUsageOf(state, data),
    permission_denials: blocks.flatMap(denialsIn),
    ...(ending.is_error && { errors: errorsIn(blocks, text) }),
  });
}

/** The subtypes that readers of this wire know. */
const subtypes = new Set([
  "success",
  "error_during_execution",
  "error_max_turns",
  "error_max_budget_usd",
  "error_max_structured_output_retries",
]);

interface Ending {
  readonly subtype: string;
  readonly is_error: boolean;
  /** What really ended it, where no subtype says it. */
  readonly terminal_reason?: string;
}

/** How Claude would have said it: there an interrupted turn is an error, and a reason of ours is not a subtype. */
function endingOf({ subtype, is_error }: EventData<"result">): Ending {
  if (subtypes.has(subtype)) return { subtype, is_error };
  switch (subtype) {
    case "interrupted":
      return {
        subtype: "error_during_execution",
        is_error: true,
        terminal_reason: "aborted_streaming",
      };
    case "budget_reached":
      return { subtype: "error_max_budget_usd", is_error: true, terminal_reason: subtype };
    default:
      return {
        subtype: is_error ? "error_during_execution" : "success",
        is_error,
        terminal_reason: subtype,
      };
  }
}

/** The turn ended without a result: it was stopped, or its agent was lost. */
export function lostResultFrame(state: SessionState, turnId: string): Frame {
  return resultFrame(state, {
    turn_id: turnId,
    subtype: "error_during_execution",
    is_error: true,
  });
}

/** The calls of the model that a turn took, as far as its messages show them. */
function messageIdsIn(blocks: readonly Block[]): ReadonlySet<string> {
  const ids = blocks.flatMap((block) =>
    "message_id" in block && block.message_id !== undefined ? [block.message_id] : [],
  );
  return new Set(ids);
}

function denialsIn(block: Block): object[] {
  if (block.type === "permission" && block.resolution && !block.resolution.allowed) {
    const { tool_name, tool_use_id = "", tool_input } = block.request;
    return [{ tool_name, tool_use_id, tool_input }];
  }
  if (block.type === "tool" && block.permission && !block.permission.allowed) {
    const { tool: tool_name, tool_use_id, input: tool_input = {} } = block;
    return [{ tool_name, tool_use_id, tool_input }];
  }
  return [];
}

function errorsIn(blocks: readonly Block[], text: string): string[] {
  const messages = blocks.flatMap((block) => (block.type === "error" ? [block.message] : []));
  return messages.length > 0 || text === "" ? messages : [text];
}

function usageOf(usage: Usage = {}): object {
  return {
    input_tokens: usage.input_tokens ?? 0,
    output_tokens: usage.output_tokens ?? 0,
    cache_read_input_tokens: usage.cache_read_tokens ?? 0,
    cache_creation_input_tokens: usage.cache_write_tokens ?? 0,
  };
}

function modelUsageOf({ session }: SessionState, data: EventData<"result">): object {
  const { usage = {}, total_cost_usd: costUSD = 0 } = data;
  if (session.model === undefined) return {};
  return {
    [session.model]: {
      inputTokens: usage.input_tokens ?? 0,
      outputTokens: usage.output_tokens ?? 0,
      cacheReadInputTokens: usage.cache_read_tokens ?? 0,
      cacheCreationInputTokens: usage.cache_write_tokens ?? 0,
      webSearchRequests: 0,
      costUSD,
      contextWindow: usage.context_window ?? 0,
    },
  };
}
