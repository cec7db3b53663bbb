import type { WrittenPolicyRule } from "@turnwire/protocol";
import { useSessionSelector } from "@turnwire/react";
import { RuleForm } from "./rule-form.tsx";
import style from "./rule-form.module.css";
import { useRuleChanges } from "./use-policy.ts";

interface SuggestedRuleFormProps {
  readonly rule: WrittenPolicyRule;
  /** Why this person cannot save it. */
  readonly refusal: string | undefined;
  readonly onSaved: () => void;
  readonly onCancel: () => void;
}

/** The rule that would allow a request from now on, to be changed before it is saved. */
export function SuggestedRuleForm(props: SuggestedRuleFormProps) {
  const { rule, refusal, onSaved, onCancel } = props;
  const { cwd, policy_mode: mode } = useSessionSelector((view) => view.session.session);
  const { add } = useRuleChanges();
  return (
    <RuleForm
      rule={rule}
      modes={mode === undefined ? [] : [mode]}
      project={cwd}
      saveLabel="Save the rule and allow"
      cancelLabel="Back"
      canSave={refusal === undefined}
      onSave={async (written) => {
        await add(written);
        onSaved();
      }}
      onCancel={onCancel}
    >
      <p className={`small soft ${style.lead}`}>
        {refusal ??
          "From now on, agents do this without asking. You can change and revoke it under Settings, Policy."}
      </p>
    </RuleForm>
  );
}
