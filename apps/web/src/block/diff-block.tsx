import type { DiffBlock } from "@turnwire/protocol";
import style from "./diff-block.module.css";

/** What has changed in files, as a unified diff. */
export function DiffBlockView({ block }: { readonly block: DiffBlock }) {
  return (
    <pre className={style.diff} tabIndex={0} aria-label="Changes">
      {block.unified.split("\n").map((line, index) => (
        <span key={`${index}`} data-sign={line.charAt(0)}>
          {`${line}\n`}
        </span>
      ))}
    </pre>
  );
}
