import * as z from "zod";

/** The use of the context of the agent's model, by its parts. */
export const ContextUsage = z
  .object({
    total_tokens: z.number().nonnegative().describe("All that is in it."),
    max_tokens: z.number().nonnegative().describe("How much it can hold."),
    parts: z
      .array(
        z.object({
          label: z.string().describe("What it is, such as `Messages` or `System prompt`."),
          tokens: z.number().nonnegative().describe("How much room it takes."),
          is_reserved: z
            .boolean()
            .optional()
            .describe("True: nothing is there yet, but it is kept free, such as for a compaction."),
        }),
      )
      .describe("Its parts, as the runtime names them; estimates that need not add up."),
  })
  .meta({ id: "ContextUsage" });
export type ContextUsage = z.infer<typeof ContextUsage>;
