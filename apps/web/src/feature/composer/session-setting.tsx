import { detach } from "@turnwire/base";
import { useSession, useSessionSelector } from "@turnwire/react";
import { ChipSelect } from "../../element/chip-select.tsx";
import { showError } from "../../element/toast.ts";
import { modeOptions, modelOptions } from "./setting-option.ts";

/** Which model answers and how much the agent may do, from the next turn on: only what can be changed. */
export function SessionSettings() {
  const session = useSession();
  const {
    capabilities,
    model,
    permission_mode: mode,
  } = useSessionSelector((view) => view.session.session);
  const models = modelOptions(capabilities, model);
  const modes = modeOptions(capabilities, mode);
  return (
    <>
      {capabilities.set_model && models.length > 1 && (
        <ChipSelect
          label="Model"
          value={model ?? ""}
          options={models}
          onChange={(value) =>
            detach(session.execute({ type: "set_model", model: value || null }), showError)
          }
        />
      )}
      {capabilities.set_permission_mode && modes.length > 1 && (
        <ChipSelect
          label="Permission mode"
          value={mode ?? ""}
          options={modes}
          onChange={(value) =>
            detach(session.execute({ type: "set_permission_mode", mode: value }), showError)
          }
        />
      )}
    </>
  );
}
