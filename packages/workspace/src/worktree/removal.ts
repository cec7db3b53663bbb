import type {
  Worktree,
  WorktreeChoice,
  WorktreeKeepReason,
  WorktreeRemoval,
} from "@turnwire/protocol";
import type { Inspection } from "./inspect-worktree.ts";

/** What may be removed of a worktree. */
export interface RemovalPlan {
  readonly removesDirectory: boolean;
  readonly removesBranch: boolean;
  readonly reasons: readonly WorktreeKeepReason[];
}

/** Decides by what was found; nothing that would be lost is removed, unless it was asked for. */
export function planRemoval(inspection: Inspection, choice: WorktreeChoice): RemovalPlan {
  const { contents, isBranchElsewhere } = inspection;
  const { keep_reasons: reasons } = contents;
  const isHeld = reasons.includes("in_use") || reasons.includes("locked");
  if (choice === "keep") return kept(["requested"]);
  if (isHeld) return kept(reasons.filter((reason) => reason === "in_use" || reason === "locked"));
  if (choice === "discard") {
    return {
      removesDirectory: true,
      removesBranch: !isBranchElsewhere,
      reasons: isBranchElsewhere ? ["in_use"] : [],
    };
  }
  // A branch that is kept has all the commits.
  if (reasons.some((reason) => reason !== "unmerged")) return kept(reasons);
  const removesBranch = reasons.length === 0 && !isBranchElsewhere;
  return {
    removesDirectory: true,
    removesBranch,
    reasons: isBranchElsewhere ? [...reasons, "in_use"] : reasons,
  };
}

function kept(reasons: readonly WorktreeKeepReason[]): RemovalPlan {
  return { removesDirectory: false, removesBranch: false, reasons };
}

const reasonTexts: Readonly<Record<WorktreeKeepReason, string>> = {
  uncommitted: "it has changes that are not committed",
  untracked: "it has files that git does not know",
  unmerged: "it has commits that are on no other branch",
  detached: "it has commits that are on no branch",
  in_progress: "a merge or rebase in it has not ended",
  submodules: "it has submodules of its own",
  locked: "it is locked",
  in_use: "something else uses it",
  unknown: "git cannot say what it holds",
  requested: "you asked for it",
};

export interface RemovalOutcome {
  readonly isRemoved: boolean;
  readonly isBranchRemoved: boolean;
  readonly reasons: readonly WorktreeKeepReason[];
}

/** What was done, for programs and for people. */
export function describeRemoval(
  { path, branch, repository }: Worktree,
  { isRemoved, isBranchRemoved, reasons }: RemovalOutcome,
): WorktreeRemoval {
  const why = reasons.map((reason) => reasonTexts[reason]).join(", and ");
  const because = why === "" ? "" : `, because ${why}`;
  const message = !isRemoved
    ? `The worktree ${path} with branch ${branch} was kept${because}.`
    : isBranchRemoved
      ? `The worktree ${path} and its branch ${branch} were removed.`
      : `The worktree ${path} was removed; its branch ${branch} was kept in ${repository}${because}.`;
  return {
    path,
    branch,
    repository,
    is_removed: isRemoved,
    is_branch_removed: isBranchRemoved,
    keep_reasons: [...reasons],
    message,
  };
}
