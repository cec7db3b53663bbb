import type { ToolPolicy } from "@turnwire/protocol";
import { CodeWords } from "../../element/code-words.tsx";
import { Icon } from "../../element/icon.tsx";
import style from "./decision-note.module.css";
import { decisionSource, decisionTitle, reasonEnding } from "./decision-words.ts";

/** Why a tool call was allowed, asked about or refused: reason, rule, mode and version. */
export function DecisionNote({ decision }: { readonly decision: ToolPolicy }) {
  const { verdict, reason, subject } = decision;
  return (
    <div className={`breaks small soft ${style.note}`} data-verdict={verdict}>
      <Icon name="shield" size={15} />
      <p>
        <strong>{decisionTitle(decision)}:</strong> {reasonEnding(reason)}
      </p>
      {subject !== undefined && <pre className={style.subject}>{subject}</pre>}
      <p className={`tiny faint ${style.source}`}>
        <CodeWords text={decisionSource(decision)} />
      </p>
    </div>
  );
}
