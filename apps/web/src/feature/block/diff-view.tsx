import { languageFromPath } from "@turnwire/markdown";
import { IconButton } from "../../element/icon-button.tsx";
import { BlockFold } from "./block-fold.tsx";
import { type DiffFile, diffFilesFrom } from "./diff-file.ts";
import { DiffHunkView } from "./diff-hunk.tsx";
import { chooseDiffLayout, useDiffLayout } from "./diff-layout.ts";
import style from "./diff-view.module.css";
import { useShortPath } from "./short-path.ts";
import type { DiffBlock } from "@turnwire/protocol";
import { useMemo } from "react";
import { useWhole } from "./stored-part.tsx";
import { Terminal } from "./terminal.tsx";

interface DiffViewProps {
  /** Unique in the conversation. */
  readonly id: string;
  readonly files: readonly DiffFile[];
}

/** Files with more changed lines are closed at first. */
const OPEN_LINES = 120;

/** What has changed in files, inline or side by side. */
export function DiffView({ id, files }: DiffViewProps) {
  const layout = useDiffLayout();
  const other = layout === "inline" ? "split" : "inline";
  return (
    <section className={`frame ${style.diff}`} aria-label="Changes">
      <IconButton
        isSmall
        icon={other === "split" ? "columns" : "rows"}
        label={other === "split" ? "Show side by side" : "Show inline"}
        className={style.layout}
        onClick={() => chooseDiffLayout(other)}
      />
      {files.map((file, index) => (
        <div key={`${index} ${file.path}`} className={style.file}>
          <BlockFold
            id={`${id} ${index}`}
            isOpenAtFirst={file.added + file.removed <= OPEN_LINES}
            summary={<FileHead file={file} />}
          >
            <div className={style.lines} data-layout={layout}>
              {file.hunks.map((hunk, place) => (
                <DiffHunkView
                  key={place}
                  hunk={hunk}
                  layout={layout}
                  language={languageFromPath(file.path)}
                />
              ))}
              {file.hunks.length === 0 && (
                <p className={`small faint ${style.remark}`}>No lines changed</p>
              )}
            </div>
          </BlockFold>
        </div>
      ))}
    </section>
  );
}

const changes: Readonly<Record<DiffFile["change"], string | undefined>> = {
  added: "new",
  removed: "deleted",
  moved: "moved",
  changed: undefined,
};

function FileHead({ file }: { readonly file: DiffFile }) {
  const short = useShortPath();
  const change = changes[file.change];
  return (
    <>
      <span className={`cut ink ${style.path}`} title={file.path}>
        {file.oldPath !== undefined && `${short(file.oldPath)} → `}
        {short(file.path)}
      </span>
      {change !== undefined && <span className={`rigid soft ${style.change}`}>{change}</span>}
      <DiffCount file={file} />
    </>
  );
}

/** How many lines were added and removed. */
export function DiffCount({ file }: { readonly file: Pick<DiffFile, "added" | "removed"> }) {
  return (
    <span className={`gap-2 rigid ${style.count}`}>
      {file.added > 0 && <span className={style.added}>+{file.added}</span>}
      {file.removed > 0 && <span className="bad">−{file.removed}</span>}
    </span>
  );
}

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
