import type { DemoMessageOf } from "./message.ts";

/** A report of the context as a real agent would give it. */
export const madeUpContext: DemoMessageOf<"context"> = {
  type: "context",
  usage: {
    total_tokens: 10_160,
    max_tokens: 200_000,
    parts: [
      { label: "System prompt", tokens: 3_200 },
      { label: "Tools", tokens: 4_900 },
      { label: "Messages", tokens: 2_060 },
      { label: "Kept free for a compaction", tokens: 33_000, is_reserved: true },
    ],
  },
};
