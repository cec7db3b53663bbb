import type { Block } from "@turnwire/protocol";
import { diffFilesFrom, type DiffFile } from "./diff-file.ts";
import { changedFiles } from "./tool-change.ts";

export interface ChangeCount {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

/** What the blocks of a turn changed, sub-agents included; undefined if nothing. */
export function changeCount(blocks: readonly Block[]): ChangeCount | undefined {
  // A runtime that reports the turn's diff knows best.
  const diffs = blocks.flatMap((block) => (block.type === "diff" ? [block.unified] : []));
  const whole = diffs.flatMap((unified) => diffFilesFrom(unified) ?? []);
  const files = whole.length > 0 ? whole : changesOf(blocks);
  if (files.length === 0) return undefined;
  return {
    files: new Set(files.map(({ path }) => path)).size,
    added: files.reduce((sum, { added }) => sum + added, 0),
    removed: files.reduce((sum, { removed }) => sum + removed, 0),
  };
}

function changesOf(blocks: readonly Block[]): readonly DiffFile[] {
  return blocks.flatMap((block) => {
    if (block.type === "subagent") return changesOf(block.blocks);
    const isChange = block.type === "tool" && block.status === "done";
    return isChange ? (changedFiles(block) ?? []) : [];
  });
}
