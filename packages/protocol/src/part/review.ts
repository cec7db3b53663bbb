import * as z from "zod";

/** The changes that an agent is to review. */
export const ReviewTarget = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("uncommitted_changes") }),
    z.object({
      type: z.literal("base_branch"),
      branch: z.string().min(1).max(500).describe("The branch to compare with."),
    }),
    z.object({
      type: z.literal("commit"),
      commit: z.string().min(1).max(500).describe("The id of the commit."),
    }),
    z.object({
      type: z.literal("instructions"),
      text: z.string().min(1).max(100_000).describe("What to look at, in words."),
    }),
  ])
  .meta({ id: "ReviewTarget" })
  .describe(
    "What to review: all that is not committed, what differs from a branch, a commit, or what the instructions name.",
  );
export type ReviewTarget = z.infer<typeof ReviewTarget>;

/** Reads what a person typed after `/review`: nothing, `branch NAME`, `commit ID`, or instructions. */
export function reviewTargetFrom(text: string): ReviewTarget {
  const wish = text.trim();
  const [, kind, name = ""] = /^(branch|commit)\s+(\S+)$/.exec(wish) ?? [];
  if (kind === "branch") return { type: "base_branch", branch: name };
  if (kind === "commit") return { type: "commit", commit: name };
  return wish === "" ? { type: "uncommitted_changes" } : { type: "instructions", text: wish };
}
