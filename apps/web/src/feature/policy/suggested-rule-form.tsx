import type { WrittenPolicyRule } from "@turnwire/protocol";
import { useSession, useSessionSelector } from "@turnwire/react";
import { RuleForm } from "./rule-form.tsx";
import style from "./rule-form.module.css";
import { usePolicy, useRuleChanges } from "./use-policy.ts";

interface SuggestedRuleFormProps {
  readonly rule: WrittenPolicyRule;
  readonly onSaved: () => void;
  readonly onCancel: () => void;
}

/** The rule that would allow a request from now on, to be changed before it is saved. */
export function SuggestedRuleForm({ rule, onSaved, onCancel }: SuggestedRuleFormProps) {
  const { id } = useSession();
  const { cwd, policy_mode: mode } = useSessionSelector((view) => view.session.session);
  const { policy } = usePolicy({ session: id });
  const { add } = useRuleChanges();
  const isAllowed = policy?.can_edit !== false;
  return (
    <RuleForm
      rule={rule}
      modes={mode === undefined ? [] : [mode]}
      project={cwd}
      saveLabel="Save the rule and allow"
      cancelLabel="Back"
      onSave={async (written) => {
        await add(written);
        onSaved();
      }}
      onCancel={onCancel}
    >
      <p className={style.lead}>
        {isAllowed
          ? "From now on, agents do this without asking. You can change and revoke it under Settings, Policy."
          : "Only an admin of this server can save rules."}
      </p>
    </RuleForm>
  );
}
