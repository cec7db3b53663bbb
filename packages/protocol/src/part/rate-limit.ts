import * as z from "zod";

/** The use of an allowance of the agent's account. */
export const RateLimit = z
  .object({
    limit_id: z.string().describe("Which limit it is, in the runtime's words."),
    label: z.string().describe("The name for people, such as `5-hour limit`."),
    status: z
      .enum(["allowed", "warning", "reached"])
      .describe("`warning`: the account will soon reach it; `reached`: the agent must wait."),
    used_percent: z
      .number()
      .nonnegative()
      .optional()
      .describe("How much of it is used, where that is reported."),
    resets_at: z.iso
      .datetime()
      .optional()
      .describe("When it starts again from nothing; afterwards the figures no longer hold."),
  })
  .meta({ id: "RateLimit" });
export type RateLimit = z.infer<typeof RateLimit>;

/** The limits whose figures still hold: of one that has started again nothing is known. */
export function currentLimits(limits: readonly RateLimit[], now: number): RateLimit[] {
  return limits.filter(({ resets_at }) => resets_at === undefined || Date.parse(resets_at) > now);
}
