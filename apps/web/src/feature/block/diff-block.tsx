import type { DiffBlock } from "@turnwire/protocol";
import { useMemo } from "react";
import { diffFilesFrom } from "./diff-file.ts";
import { DiffView } from "./diff-view.tsx";
import { useWhole } from "./stored-part.tsx";
import { Terminal } from "./terminal.tsx";

/** What the turn has changed in files. */
export function DiffBlockView({ block }: { readonly block: DiffBlock }) {
  const { value, more } = useWhole(block);
  const files = useMemo(() => diffFilesFrom(value.unified), [value.unified]);
  return (
    <>
      {files ? (
        <DiffView id={block.key} files={files} />
      ) : (
        <Terminal output={value.unified} label="Changes" />
      )}
      {more}
    </>
  );
}
