import { useSending, useSession } from "@turnwire/react";
import { useEffect, useState } from "react";
import { IconButton } from "../../element/icon-button.tsx";
import { awayFrom, awayText, type Away } from "./away.ts";
import style from "./status-line.module.css";
import { useReturn } from "../seen/use-return.ts";

/** What happened while the person was away; hidden once they send a message. */
export function AwayNote() {
  const session = useSession();
  const [away, setAway] = useState<Away>();
  useReturn((since) => setAway(awayFrom(session.getState().session.messages, since)));
  const isSending = useSending().length > 0;
  useEffect(() => {
    if (isSending) setAway(undefined);
  }, [isSending, setAway]);
  return (
    <div role="status">
      {away && (
        <p className={`row gap-3 spread small ink ${style.note}`}>
          <span>
            <strong>While you were away:</strong> {awayText(away)}
          </span>
          <IconButton icon="close" label="Dismiss the summary" onClick={() => setAway(undefined)} />
        </p>
      )}
    </div>
  );
}
