import type { WorktreeContents, WorktreeKeepReason } from "@turnwire/protocol";
import { counted } from "../../element/figure.ts";

/** What a worktree holds that is nowhere else, as a list in words; empty where nothing is. */
export function lossWords(contents: WorktreeContents): string {
  const { uncommitted, untracked, unmerged, keep_reasons } = contents;
  return listed([
    ...(uncommitted > 0
      ? [counted(uncommitted, "file with uncommitted changes", "files with uncommitted changes")]
      : []),
    ...(untracked > 0 ? [counted(untracked, "new file")] : []),
    ...(unmerged > 0
      ? [counted(unmerged, "commit on no other branch", "commits on no other branch")]
      : []),
    ...keep_reasons.flatMap((reason) => {
      const words = otherReasons[reason];
      return words === undefined ? [] : [words];
    }),
  ]);
}

/** The reasons that have no number. */
const otherReasons: Partial<Record<WorktreeKeepReason, string>> = {
  detached: "commits on no branch",
  in_progress: "a merge or rebase that has not ended",
  submodules: "submodules",
  unknown: "files that git could not check",
};

/** Why it stays whatever is chosen; undefined where it can go. */
export function heldWords({ keep_reasons }: WorktreeContents): string | undefined {
  if (keep_reasons.includes("in_use")) return "Another session works in it, so it stays.";
  return keep_reasons.includes("locked") ? "It is locked, so it stays." : undefined;
}

/** True where the folder can go without a loss as long as its branch stays. */
export function isOnlyUnmerged({ keep_reasons }: WorktreeContents): boolean {
  return keep_reasons.length > 0 && keep_reasons.every((reason) => reason === "unmerged");
}

function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} and ${last}`;
}
