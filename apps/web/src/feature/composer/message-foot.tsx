import { AttachButton } from "./attach-button.tsx";
import { DeliveryChoice, type WaitingDelivery } from "./delivery-choice.tsx";
import style from "./message-foot.module.css";
import { SendButton } from "./send-button.tsx";
import { SessionSettings } from "./session-setting.tsx";
import { StopButton } from "./stop-button.tsx";
import type { Attachments } from "./use-attachments.ts";
import type { Stop } from "./use-stop.ts";

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
