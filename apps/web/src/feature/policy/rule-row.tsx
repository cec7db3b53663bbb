import type { PolicyRule, WrittenPolicyRule } from "@turnwire/protocol";
import { useRef, useState } from "react";
import { Button } from "../../element/button.tsx";
import { CodeWords } from "../../element/code-words.tsx";
import { relativeTime } from "../../element/relative-time.ts";
import { useNow } from "../../element/use-now.ts";
import style from "./policy-dialog.module.css";
import { RuleForm } from "./rule-form.tsx";
import { ruleScope, ruleSubject } from "./rule-text.ts";

interface RuleRowProps {
  readonly rule: PolicyRule;
  readonly modes: readonly string[];
  readonly canEdit: boolean;
  /** Rejects with what is wrong. */
  readonly onSave: (rule: WrittenPolicyRule) => Promise<void>;
  readonly onRevoke: () => void;
}

/** One rule of a person's own: what it allows and where, to change or to revoke. */
export function RuleRow({ rule, modes, canEdit, onSave, onRevoke }: RuleRowProps) {
  const now = useNow();
  const [isEditing, setEditing] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  const subject = ruleSubject(rule);
  const name = subject.replaceAll("`", "");
  const leave = (): void => {
    setEditing(false);
    row.current?.focus();
  };
  return (
    <li ref={row} tabIndex={-1} className={`row wrap ${style.rule}`}>
      {isEditing ? (
        <RuleForm
          rule={editable(rule)}
          modes={modes}
          saveLabel="Save the rule"
          onSave={async (written) => {
            await onSave(written);
            setEditing(false);
          }}
          onCancel={leave}
        />
      ) : (
        <>
          <div className={`stack gap-1 shrink breaks ${style.words}`}>
            <p>
              <CodeWords text={subject} />
            </p>
            <p className="breaks tiny soft">
              <CodeWords text={ruleScope(rule)} />
              {rule.note !== undefined && ` · ${rule.note}`}
              {` · ${whenText(rule, now)}`}
            </p>
          </div>
          {canEdit && (
            <div className="flow gap-2 rigid">
              <Button aria-label={`Edit: ${name}`} onClick={() => setEditing(true)}>
                Edit
              </Button>
              <Button look="danger" aria-label={`Revoke: ${name}`} onClick={onRevoke}>
                Revoke
              </Button>
            </div>
          )}
        </>
      )}
    </li>
  );
}

function whenText({ created_at, created_by, updated_at }: PolicyRule, now: Date): string {
  const by = created_by === undefined ? "" : ` by ${created_by}`;
  const changed = updated_at === undefined ? "" : `, changed ${relativeTime(updated_at, now)}`;
  return `added ${relativeTime(created_at, now)}${by}${changed}`;
}

/** Without what the server gave it. */
function editable(rule: PolicyRule): WrittenPolicyRule {
  const { id: _id, created_at: _at, created_by: _by, updated_at: _changed, ...written } = rule;
  return written;
}
