import { textOf, type UserMessage } from "@turnwire/protocol";
import { useMessage } from "@turnwire/react";
import { ClockTime } from "../../element/clock-time-view.tsx";
import { CopyButton } from "../../element/copy-button.tsx";
import { RollbackButton } from "./rollback-button.tsx";
import { UserContent } from "./user-content.tsx";
import style from "./user-message.module.css";
import { Icon } from "../../element/icon.tsx";
import { BlockFold } from "../block/block-fold.tsx";
import { useWhole } from "../block/stored-part.tsx";
import { callbackWords } from "../block/callback-words.ts";

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
      <div className="user-words">
        <UserContent {...message} />
      </div>
    </div>
  );
}

interface CallbackLineProps {
  readonly message: UserMessage & { readonly callback: NonNullable<UserMessage["callback"]> };
}

/** What a person did in a component, which became a message to the agent: one line, its data on demand. */
function CallbackLine({ message }: CallbackLineProps) {
  const { value, more } = useWhole(message);
  const { callback, by, ts } = value;
  return (
    <div className={`small soft ${style.line}`}>
      <BlockFold
        id={`${message.id} callback`}
        summary={
          <>
            <Icon name="check" size={15} />
            <span className="shrink breaks" dir="auto">
              {callbackWords(callback)}
            </span>
            {by !== undefined && <span className={style.by}>{by}</span>}
            <span className={style.time}>
              <ClockTime time={ts} />
            </span>
          </>
        }
      >
        <pre className={style.payload} tabIndex={0}>
          {JSON.stringify(callback.payload, null, 2)}
        </pre>
        {more}
      </BlockFold>
    </div>
  );
}
