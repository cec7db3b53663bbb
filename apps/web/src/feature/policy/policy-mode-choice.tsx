import type { PolicyQuery } from "@turnwire/protocol";
import { Choice } from "../../element/choice.tsx";
import { policyModeOptions } from "./policy-mode-option.ts";
import { usePolicy } from "./use-policy.ts";

interface PolicyModeChoiceProps {
  /** Whose modes: those of a project can differ. */
  readonly query: PolicyQuery;
  readonly value: string | undefined;
  /** Undefined: no policy. */
  readonly onChange: (mode: string | undefined) => void;
}

/** Which policy decides about the agent's tool calls, before the permission mode does. */
export function PolicyModeChoice({ query, value, onChange }: PolicyModeChoiceProps) {
  const { policy } = usePolicy(query);
  const options = policyModeOptions(policy?.modes ?? [], value);
  if (options.length < 2) return null;
  return (
    <Choice
      label="Policy"
      icon="shield"
      value={value ?? ""}
      options={options}
      onChange={(mode) => onChange(mode === "" ? undefined : mode)}
    />
  );
}
