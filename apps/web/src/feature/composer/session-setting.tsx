import { detach } from "@turnwire/base";
import { useSession, useSessionSelector } from "@turnwire/react";
import { showError } from "../../element/toast.ts";
import { PolicyModeChoice } from "../policy/policy-mode-choice.tsx";
import { SettingChoices, type AgentSettings } from "../setting/setting-choices.tsx";

/** Which model answers, how hard it thinks and how much it may do from the next turn on; the policy from the next tool call on. */
export function SessionSettings() {
  const session = useSession();
  const facts = useSessionSelector((view) => view.session.session);
  const { capabilities } = facts;
  const change = async (name: keyof AgentSettings, value: string | undefined): Promise<void> => {
    if (name === "model") await session.execute({ type: "set_model", model: value ?? null });
    else if (name === "effort")
      await session.execute({ type: "set_effort", effort: value ?? null });
    else if (value !== undefined) {
      await session.execute({ type: "set_permission_mode", mode: value });
    }
  };
  return (
    <>
      <SettingChoices
        capabilities={capabilities}
        settings={facts}
        canSet={{
          model: capabilities.set_model,
          effort: capabilities.set_effort,
          permission_mode: capabilities.set_permission_mode,
        }}
        onChange={(name, value) => detach(change(name, value), showError)}
      />
      <PolicyModeChoice
        query={{ session: session.id }}
        value={facts.policy_mode}
        onChange={(mode) =>
          detach(session.execute({ type: "set_policy_mode", mode: mode ?? null }), showError)
        }
      />
    </>
  );
}
