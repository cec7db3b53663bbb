import { textOf } from "@turnwire/protocol";
import { useMessage } from "@turnwire/react";
import { ClockTime } from "../../element/clock-time-view.tsx";
import { CopyButton } from "../../element/copy-button.tsx";
import { CallbackLine } from "./callback-line.tsx";
import { RollbackButton } from "./rollback-button.tsx";
import { UserContent } from "./user-content.tsx";
import style from "./user-message.module.css";

/** A message of the person. */
export function UserMessageView({ id }: { readonly id: string }) {
  const message = useMessage(id);
  if (message?.role !== "user") return null;
  const { callback } = message;
  if (callback) return <CallbackLine message={{ ...message, callback }} />;
  const text = textOf(message);
  return (
    <div className={style.message}>
      <div className={`row gap-1 rigid ${style.actions}`}>
        {message.delivery === "steer" && <span className="tiny faint">Sent mid-turn</span>}
        <ClockTime time={message.ts} />
        {message.turn_id !== undefined && message.delivery !== "steer" && (
          <span className={`if-any ${style.apart}`}>
            <RollbackButton message={message} turnId={message.turn_id} />
          </span>
        )}
        {text !== "" && <CopyButton label="Copy the message" text={() => text} />}
      </div>
      <div className="bubble">
        <UserContent {...message} />
      </div>
    </div>
  );
}
