import { outputText, toolSummary, type ToolBlock } from "@turnwire/protocol";
import { Fold } from "../element/fold.tsx";
import style from "./tool-block.module.css";

/** A tool call in one line; its input and output on demand. */
export function ToolBlockView({ block }: { readonly block: ToolBlock }) {
  const output = block.output === undefined ? block.streamed : outputText(block.output);
  return (
    <Fold
      summary={
        <>
          <span className={style.tool}>{block.tool}</span>
          <span className={style.summary} data-status={block.status}>
            {toolSummary(block)}
          </span>
        </>
      }
    >
      {block.input !== undefined && (
        <pre className={style.code}>{JSON.stringify(block.input, null, 2)}</pre>
      )}
      {output !== "" && <pre className={style.code}>{output}</pre>}
    </Fold>
  );
}
