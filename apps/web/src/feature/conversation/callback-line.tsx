import type { UserMessage } from "@turnwire/protocol";
import { ClockTime } from "../../element/clock-time-view.tsx";
import { Icon } from "../../element/icon.tsx";
import { BlockFold } from "../block/block-fold.tsx";
import { useWhole } from "../block/stored-part.tsx";
import { callbackWords } from "../block/callback-words.ts";
import style from "./callback-line.module.css";

interface CallbackLineProps {
  readonly message: UserMessage & { readonly callback: NonNullable<UserMessage["callback"]> };
}

/** What a person did in a component, which became a message to the agent: one line, its data on demand. */
export function CallbackLine({ message }: CallbackLineProps) {
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
