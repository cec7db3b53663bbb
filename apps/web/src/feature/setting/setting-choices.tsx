import type { Capabilities } from "@turnwire/protocol";
import { Choice } from "../../element/choice.tsx";
import { effortOptions, modelOptions, modeOptions } from "./setting-option.ts";

/** What can be set for the agent's next turn; absent: the agent's default. */
export interface AgentSettings {
  readonly model?: string | undefined;
  readonly effort?: string | undefined;
  readonly permission_mode?: string | undefined;
}

/** What can be chosen for the agent of a session that does not exist yet. */
export interface StartAgentSettings extends AgentSettings {
  /** Null: no policy, whatever the server's default. */
  readonly policy_mode?: string | null | undefined;
}

interface SettingChoicesProps {
  readonly capabilities: Capabilities;
  readonly settings: AgentSettings;
  /** Which of them can be changed now. */
  readonly canSet: { readonly [Name in keyof AgentSettings]: boolean };
  /** Undefined: back to the agent's default. */
  readonly onChange: (name: keyof AgentSettings, value: string | undefined) => void;
}

/** Which model answers, how hard it thinks, and how much it may do: only what can be chosen. */
export function SettingChoices({ capabilities, settings, canSet, onChange }: SettingChoicesProps) {
  const { model, effort, permission_mode: mode } = settings;
  const usual = capabilities.models.find(({ is_default }) => is_default)?.id;
  const values = { ...settings, model: model === usual ? undefined : model };
  const choices = [
    { name: "model", label: "Model", optionsFrom: () => modelOptions(capabilities, model) },
    {
      name: "effort",
      label: "Effort",
      optionsFrom: () => effortOptions(capabilities, model, effort),
    },
    {
      name: "permission_mode",
      label: "Permission mode",
      optionsFrom: () => modeOptions(capabilities, mode),
    },
  ] as const;
  return choices
    .filter(({ name }) => canSet[name] === true)
    .map(({ name, label, optionsFrom }) => ({ name, label, options: optionsFrom() }))
    .filter(({ options }) => options.length > 1)
    .map(({ name, label, options }) => (
      <Choice
        key={name}
        label={label}
        value={values[name] ?? ""}
        options={options}
        onChange={(value) => onChange(name, value === "" ? undefined : value)}
      />
    ));
}
