import * as z from "zod";

/** The worktree that `CreateSession.worktree` requests; `true`: with a branch name of the server's. */
export const WorktreeRequest = z.union([
  z.literal(true),
  z.strictObject({
    branch: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe("The name of the new branch; without it, one that begins with `turnwire/`."),
    base: z
      .string()
      .min(1)
      .max(250)
      .optional()
      .describe(
        "The branch, tag or commit that it starts from; without it, what the working directory has checked out.",
      ),
  }),
]);
export type WorktreeRequest = z.infer<typeof WorktreeRequest>;

/** How new worktrees are prepared: `worktrees` of `turnwire.config`, and a project's `.turnwire/worktree.json`. */
export const WorktreeSetup = z.strictObject({
  copy: z
    .array(z.string().min(1).max(1000))
    .max(100)
    .optional()
    .describe(
      "Files that git ignores and a worktree needs, such as `.env`: relative to the repository, `*` for any part of a name. They are copied from the main working tree.",
    ),
  setup: z
    .string()
    .min(1)
    .max(10_000)
    .optional()
    .describe("A shell command that is run in each new worktree, such as `npm ci`."),
});
export type WorktreeSetup = z.infer<typeof WorktreeSetup>;

/** The git worktree that was made for a session. */
export const Worktree = z
  .object({
    branch: z.string().describe("The branch that was made for it."),
    base: z.string().describe("What it started from: a branch, tag or commit."),
    base_commit: z.string().describe("The commit that it started from."),
    path: z.string().describe("The top directory of the worktree."),
    repository: z
      .string()
      .describe(
        "The main working tree of the repository; of one that has none, its git directory.",
      ),
    is_setup_skipped: z
      .boolean()
      .optional()
      .describe(
        "Whether files to copy and a setup command are configured, but were left out, because the repository is not trusted.",
      ),
  })
  .meta({ id: "Worktree" });
export type Worktree = z.infer<typeof Worktree>;

export const WorktreeKeepReason = z
  .enum([
    "uncommitted",
    "untracked",
    "unmerged",
    "detached",
    "in_progress",
    "submodules",
    "locked",
    "in_use",
    "unknown",
    "requested",
  ])
  .describe(
    "`uncommitted`: changes that are not committed; `untracked`: files that git does not know; `unmerged`: commits that are on no other branch, remote branch or tag; `detached`: commits that are on no branch at all; `in_progress`: a merge, rebase or the like has not ended; `submodules`: it has submodules of its own; `locked`: somebody locked it (`git worktree lock`); `in_use`: another session works in it; `unknown`: git could not say, for example because the repository is gone; `requested`: it was asked to be kept.",
  );
export type WorktreeKeepReason = z.infer<typeof WorktreeKeepReason>;

/** The work in a worktree that would be lost without it. */
export const WorktreeContents = z
  .object({
    is_present: z.boolean().describe("Whether its directory is there."),
    uncommitted: z.int().describe("How many tracked files have changes that are not committed."),
    untracked: z
      .int()
      .describe("How many files or directories git does not know; ignored ones do not count."),
    unmerged: z
      .int()
      .describe("How many commits are on no other branch, remote branch or tag; at most 1000."),
    keep_reasons: z
      .array(WorktreeKeepReason)
      .describe(
        "Why removing it would lose something; empty: it can be removed. With `unmerged` alone the directory can be removed, and the branch stays.",
      ),
  })
  .meta({ id: "WorktreeContents" });
export type WorktreeContents = z.infer<typeof WorktreeContents>;

/** A worktree that the server made, as `GET /worktrees` shows it. */
export const WorktreeInfo = Worktree.extend({
  id: z.string().describe("Its id; the same path always has the same id."),
  status: z
    .enum(["creating", "in_use", "kept"])
    .describe(
      "`creating`: its session is being created; `in_use`: a session works in it; `kept`: its session is gone, and it was kept.",
    ),
  step: z
    .enum(["checkout", "copy", "setup"])
    .optional()
    .describe("While it is created: what is being done."),
  session_ids: z.array(z.string()).describe("The sessions that work in it."),
  created_at: z.iso.datetime().describe("When it was created."),
  contents: WorktreeContents.optional().describe("Absent while it is created."),
}).meta({ id: "WorktreeInfo" });
export type WorktreeInfo = z.infer<typeof WorktreeInfo>;

/** The answer of `GET /worktrees`. */
export const WorktreeList = z.object({
  worktrees: z.array(WorktreeInfo).describe("Newest first."),
});
export type WorktreeList = z.infer<typeof WorktreeList>;

/** The result of removing a worktree. */
export const WorktreeRemoval = z
  .object({
    path: z.string().describe("The top directory of the worktree."),
    branch: z.string().describe("Its branch."),
    repository: z.string().describe("The repository, as in `Worktree`."),
    is_removed: z.boolean().describe("Whether its directory is gone."),
    is_branch_removed: z.boolean().describe("Whether its branch is gone."),
    keep_reasons: z
      .array(WorktreeKeepReason)
      .describe("Why something of it was kept; empty: nothing was."),
    message: z.string().describe("The same for people: what was removed, what was kept and where."),
  })
  .meta({ id: "WorktreeRemoval" });
export type WorktreeRemoval = z.infer<typeof WorktreeRemoval>;

export const WorktreeChoice = z
  .enum(["remove", "keep", "discard"])
  .describe(
    "`remove` (default): what would not be lost is removed, the rest is kept; `keep`: directory and branch stay; `discard`: both are removed, with all work in them that is nowhere else.",
  );
export type WorktreeChoice = z.infer<typeof WorktreeChoice>;

/** The query of `DELETE /sessions/:id`. */
export const DeleteSessionQuery = z.object({
  worktree: WorktreeChoice.optional().describe(
    "What to do with the session's worktree: `remove` (default) removes what would not be lost and keeps the rest; `keep` keeps directory and branch; `discard` removes both, with all work in them that is nowhere else.",
  ),
});
export type DeleteSessionQuery = z.infer<typeof DeleteSessionQuery>;

/** The query of `DELETE /worktrees/:id`. */
export const RemoveWorktreeQuery = z.object({
  discard: z
    .enum(["true", "false"])
    .optional()
    .describe("`true`: also removes work that is nowhere else."),
});
export type RemoveWorktreeQuery = z.infer<typeof RemoveWorktreeQuery>;

/** The answer of `DELETE /sessions/:id` for a session with a worktree. */
export const DeletedSession = z.object({
  worktree: WorktreeRemoval.describe("What was done with its worktree."),
});
export type DeletedSession = z.infer<typeof DeletedSession>;
