import type { DiffBlock } from "@turnwire/protocol";
import { useMemo } from "react";
import { diffFilesFrom } from "./diff-file.ts";
import { DiffView } from "./diff-view.tsx";
import { Terminal } from "./terminal.tsx";

/** What the turn has changed in files. */
export function DiffBlockView({ block }: { readonly block: DiffBlock }) {
  const files = useMemo(() => diffFilesFrom(block.unified), [block.unified]);
  return files ? (
    <DiffView id={block.key} files={files} />
  ) : (
    <Terminal output={block.unified} label="Changes" />
  );
}
