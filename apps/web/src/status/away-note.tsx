import type { SessionView } from "@turnwire/client";
import { useSending, useSession, useSessionSelector } from "@turnwire/react";
import { useEffect, useRef, useState } from "react";
import { IconButton } from "../element/icon-button.tsx";
import { awayFrom, awayText, type Away } from "./away.ts";
import style from "./away-note.module.css";
import { seenSeq } from "./seen.ts";

/** A shorter absence is a glance at another tab. */
const AWAY_MS = 60_000;

function isLoaded({ session, connection }: SessionView): boolean {
  return session.seq > 0 && connection.status === "live";
}

/** What happened since a person last looked; it goes when they say something. */
export function AwayNote() {
  const [away, setAway] = useAway();
  const isSending = useSending().length > 0;
  useEffect(() => {
    if (isSending) setAway(undefined);
  }, [isSending, setAway]);
  return (
    <div role="status">
      {away && (
        <p className={style.note}>
          <span>
            <strong>While you were away:</strong> {awayText(away)}
          </span>
          <IconButton icon="close" label="Dismiss the summary" onClick={() => setAway(undefined)} />
        </p>
      )}
    </div>
  );
}

function useAway(): readonly [Away | undefined, (away: Away | undefined) => void] {
  const session = useSession();
  const [away, setAway] = useState<Away>();
  const [since] = useState(() => seenSeq(session.id));
  const isReady = useSessionSelector(isLoaded);
  const isTold = useRef(false);
  useEffect(() => {
    if (!isReady || since === undefined || isTold.current) return;
    isTold.current = true;
    setAway(awayFrom(session.getState().session.messages, since));
  }, [session, isReady, since]);
  useEffect(() => {
    let left: { readonly at: number; readonly seq: number } | undefined;
    const onVisibility = (): void => {
      const { seq, messages } = session.getState().session;
      if (document.visibilityState === "hidden") left = { at: Date.now(), seq };
      else if (left && Date.now() - left.at >= AWAY_MS) setAway(awayFrom(messages, left.seq));
    };
    document.addEventListener("visibilitychange", onVisibility);
    return () => document.removeEventListener("visibilitychange", onVisibility);
  }, [session]);
  return [away, setAway];
}
