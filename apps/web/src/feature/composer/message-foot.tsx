import { AttachButton } from "./attach-button.tsx";
import { DeliveryChoice, type WaitingDelivery } from "./delivery-choice.tsx";
import style from "./message-foot.module.css";
import { SendButton } from "./send-button.tsx";
import type { Attachments } from "./use-attachments.ts";
import type { Stop } from "./use-stop.ts";
import { detach } from "@turnwire/base";
import { useSession, useSessionSelector } from "@turnwire/react";
import { showError } from "../../element/toast.ts";
import { PolicyModeChoice } from "../policy/policy-mode-choice.tsx";
import { SettingChoices, type AgentSettings } from "../setting/setting-choices.tsx";
import { Icon } from "../../element/icon.tsx";
import { ariaKeys, keyName } from "../../element/key-name.ts";

interface MessageFootProps {
  readonly attachments: Attachments;
  readonly stop: Stop;
  readonly delivery: WaitingDelivery;
  readonly onDelivery: (delivery: WaitingDelivery) => void;
  /** There is nothing to send. */
  readonly isEmpty: boolean;
  readonly onSend: () => void;
}

/** The controls below the message field. */
export function MessageFoot(props: MessageFootProps) {
  const { attachments, stop, delivery, onDelivery, isEmpty, onSend } = props;
  return (
    <div className={style.foot}>
      <div className={`row wrap grow shrink ${style.settings}`}>
        {attachments.isPossible && (
          <AttachButton accept={attachments.accept} onFiles={attachments.add} />
        )}
        <SessionSettings />
        {stop.isRunning && (
          <span className={style.delivery}>
            <DeliveryChoice value={delivery} onChange={onDelivery} />
          </span>
        )}
      </div>
      {stop.isRunning && <StopButton stop={stop} />}
      {!(stop.isRunning && isEmpty) && (
        <SendButton icon="arrow_up" label="Send" disabled={isEmpty} onClick={onSend} />
      )}
    </div>
  );
}

/** Which model answers, how hard it thinks and how much it may do from the next turn on; the policy from the next tool call on. */
function SessionSettings() {
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

/** Stops the turn; its label names what is running. */
function StopButton({ stop }: { readonly stop: Stop }) {
  const { activity, isCancelling, isAsked } = stop;
  const label = isCancelling ? "Stopping…" : `Stop: ${activity}`;
  const words = isAsked ? "Esc again" : "Stop";
  return (
    <button
      type="button"
      className={`inline-row gap-1 small medium ink ${style.stop}`}
      aria-label={label}
      aria-keyshortcuts={ariaKeys("Control+.")}
      title={isCancelling ? label : `${label} (Esc Esc or ${keyName("Ctrl .")})`}
      disabled={isCancelling}
      onClick={stop.stop}
    >
      <Icon name="stop" size={14} />
      <span>{isCancelling ? "Stopping…" : words}</span>
    </button>
  );
}
