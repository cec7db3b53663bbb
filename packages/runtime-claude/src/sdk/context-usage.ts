import type { SDKControlGetContextUsageResponse } from "@anthropic-ai/claude-agent-sdk";
import type { ContextUsage } from "@turnwire/protocol";

type Reported = Pick<SDKControlGetContextUsageResponse, "categories" | "totalTokens" | "maxTokens">;

/** The parts in the window and the room that it keeps for a compaction; neither the rest of the room nor tools that are not loaded. */
export function contextUsageFrom({ categories, totalTokens, maxTokens }: Reported): ContextUsage {
  return {
    total_tokens: totalTokens,
    max_tokens: maxTokens,
    parts: categories
      .filter(({ kind }) => kind === "used" || kind === "buffer")
      .map(({ name, tokens, kind }) => ({
        label: name,
        tokens,
        ...(kind === "buffer" && { is_reserved: true }),
      })),
  };
}
