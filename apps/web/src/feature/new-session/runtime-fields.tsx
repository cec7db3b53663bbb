import type { RuntimeInfo } from "@turnwire/protocol";
import { ChipSelect } from "../../element/chip-select.tsx";
import style from "./new-session-page.module.css";
import type { SessionSettings } from "./settings.ts";

interface RuntimeFieldsProps {
  readonly runtimes: readonly RuntimeInfo[];
  readonly runtime: RuntimeInfo | undefined;
  readonly settings: SessionSettings;
  readonly onChange: (settings: SessionSettings) => void;
}

/** Which agent, which model, how much it may do: only what the agent's capabilities offer. */
export function RuntimeFields({ runtimes, runtime, settings, onChange }: RuntimeFieldsProps) {
  const { cwd } = settings;
  const place = { ...(cwd !== undefined && { cwd }) };
  const {
    models = [],
    permission_modes = [],
    unavailable_modes = {},
  } = runtime?.capabilities ?? {};
  return (
    <div className={style.fields}>
      {runtime && (
        <ChipSelect
          label="Runtime"
          value={runtime.name}
          options={runtimes.map(({ name, label, is_available }) => ({
            value: name,
            label: is_available ? label : `${label} — not connected`,
          }))}
          onChange={(name) => onChange({ ...place, runtime: name })}
        />
      )}
      {models.length > 0 && (
        <ChipSelect
          label="Model"
          value={settings.model ?? ""}
          options={[
            { value: "", label: "Default model" },
            ...models.map(({ id, label = id }) => ({ value: id, label })),
          ]}
          onChange={(model) => onChange(withValue(settings, "model", model))}
        />
      )}
      {permission_modes.length > 0 && (
        <ChipSelect
          label="Permission mode"
          value={settings.permission_mode ?? ""}
          options={[
            { value: "", label: "Default permissions" },
            ...permission_modes
              .filter((mode) => !(mode in unavailable_modes))
              .map((mode) => ({ value: mode, label: mode })),
          ]}
          onChange={(mode) => onChange(withValue(settings, "permission_mode", mode))}
        />
      )}
    </div>
  );
}

function withValue(
  settings: SessionSettings,
  name: "model" | "permission_mode",
  value: string,
): SessionSettings {
  const { [name]: _before, ...rest } = settings;
  return value === "" ? rest : { ...rest, [name]: value };
}
