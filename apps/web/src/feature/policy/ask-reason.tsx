import type { RequestPolicy } from "@turnwire/protocol";
import { CodeWords } from "../../element/code-words.tsx";
import { Icon } from "../../element/icon.tsx";
import style from "./decision-note.module.css";
import { decisionSource, reasonEnding } from "./decision-words.ts";

/** Why the policy asks a person, in the card of the request. */
export function AskReason({ policy }: { readonly policy: RequestPolicy }) {
  return (
    <div className={`breaks small soft ${style.note}`} data-verdict="ask">
      <Icon name="shield" size={15} />
      <p>
        <strong>The policy asks:</strong> {reasonEnding(policy.reason)}
      </p>
      <p className={`tiny faint ${style.source}`}>
        <CodeWords text={decisionSource(policy)} />
      </p>
    </div>
  );
}
