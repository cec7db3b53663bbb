import type { PolicyQuery } from "@turnwire/protocol";
import { Choice } from "../../element/choice.tsx";
import { Icon } from "../../element/icon.tsx";
import { useFrame } from "../page/frame-context.ts";
import style from "./policy-mode-choice.module.css";
import { noPolicy, policyModeOptions, serverDefault } from "./policy-mode-option.ts";
import { usePolicy } from "./use-policy.ts";

interface PolicyModeChoiceProps {
  /** Whose modes: those of a project can differ. */
  readonly query: PolicyQuery;
  /** Null: no policy; undefined: nothing is chosen, which is the server's default. */
  readonly value: string | null | undefined;
  readonly onChange: (mode: string | null | undefined) => void;
}

/** Which policy decides about the agent's tool calls, before the permission mode does; says where a file of it is broken. */
export function PolicyModeChoice({ query, value, onChange }: PolicyModeChoiceProps) {
  const { policy } = usePolicy(query);
  const { showPolicy } = useFrame();
  // A session that exists has a mode or none: the default is for new ones.
  const defaultMode = query.session === undefined ? policy?.default_mode : undefined;
  const options = policyModeOptions({
    modes: policy?.modes ?? [],
    current: value ?? undefined,
    defaultMode,
  });
  if (options.length < 2) return null;
  const unchosen = defaultMode === undefined ? noPolicy : serverDefault;
  const isBroken = policy?.files.some(({ status }) => status === "broken") === true;
  return (
    <>
      <Choice
        label="Policy"
        icon="shield"
        value={value === null ? noPolicy : (value ?? unchosen)}
        options={options}
        onChange={(mode) => {
          if (mode === unchosen) onChange(undefined);
          else onChange(mode === noPolicy ? null : mode);
        }}
      />
      {isBroken && (
        <button
          type="button"
          className={`inline-row gap-1 rigid small bad ${style.problem}`}
          onClick={() => showPolicy(query)}
        >
          <Icon name="warning" size={14} />
          Policy file has problems
        </button>
      )}
    </>
  );
}
