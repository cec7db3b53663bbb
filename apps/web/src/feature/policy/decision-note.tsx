import type { ToolPolicy, RequestPolicy } from "@turnwire/protocol";
import { CodeWords } from "../../element/code-words.tsx";
import { Icon } from "../../element/icon.tsx";
import style from "./decision-note.module.css";
import { containmentWords, decisionSource, decisionTitle, reasonEnding } from "./decision-words.ts";

/** Why a tool call was allowed, asked about or refused: reason, rule, mode and version. */
export function DecisionNote({ decision }: { readonly decision: ToolPolicy }) {
  const { verdict, reason, subject, containment } = decision;
  return (
    <div className={`breaks small soft ${style.note}`} data-verdict={verdict}>
      <Icon name="shield" size={15} />
      <p>
        <strong>{decisionTitle(decision)}:</strong> {reasonEnding(reason)}{" "}
        {containment !== "none" && containmentWords(containment)}
      </p>
      {subject !== undefined && <pre className={style.subject}>{subject}</pre>}
      <p className={`tiny faint ${style.source}`}>
        <CodeWords text={decisionSource(decision)} />
      </p>
    </div>
  );
}

/** Why the policy asks a person, in the card of the request. */
export function AskReason({ policy }: { readonly policy: RequestPolicy }) {
  return (
    <div className={`breaks small soft ${style.note}`} data-verdict="ask">
      <Icon name="shield" size={15} />
      <p>
        <strong>The policy asks:</strong> {reasonEnding(policy.reason)}{" "}
        {containmentWords(policy.containment)}
      </p>
      <p className={`tiny faint ${style.source}`}>
        <CodeWords text={decisionSource(policy)} />
      </p>
    </div>
  );
}
