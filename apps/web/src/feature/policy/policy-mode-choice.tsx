import type { PolicyQuery } from "@turnwire/protocol";
import { Choice } from "../../element/choice.tsx";
import { Icon } from "../../element/icon.tsx";
import { useFrame } from "../page/frame-context.ts";
import style from "./policy-mode-choice.module.css";
import { policyModeOptions } from "./policy-mode-option.ts";
import { usePolicy } from "./use-policy.ts";

interface PolicyModeChoiceProps {
  /** Whose modes: those of a project can differ. */
  readonly query: PolicyQuery;
  readonly value: string | undefined;
  /** Undefined: no policy. */
  readonly onChange: (mode: string | undefined) => void;
}

/** Which policy decides about the agent's tool calls, before the permission mode does; says where a file of it is broken. */
export function PolicyModeChoice({ query, value, onChange }: PolicyModeChoiceProps) {
  const { policy } = usePolicy(query);
  const { showPolicy } = useFrame();
  const options = policyModeOptions(policy?.modes ?? [], value);
  if (options.length < 2) return null;
  const isBroken = policy?.files.some(({ status }) => status === "broken") === true;
  return (
    <>
      <Choice
        label="Policy"
        icon="shield"
        value={value ?? ""}
        options={options}
        onChange={(mode) => onChange(mode === "" ? undefined : mode)}
      />
      {isBroken && (
        <button type="button" className={style.problem} onClick={() => showPolicy(query)}>
          <Icon name="warning" size={14} />
          Policy file has problems
        </button>
      )}
    </>
  );
}
