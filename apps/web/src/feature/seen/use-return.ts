import type { SessionView } from "@turnwire/client";
import { useSession, useSessionSelector } from "@turnwire/react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { seenSeq } from "./seen.ts";

/** A shorter absence is a glance at another tab. */
const AWAY_MS = 60_000;

function isLoaded({ session, connection }: SessionView): boolean {
  return session.seq > 0 && connection.status === "live";
}

/** Calls back each time the person returns to this session, with the last event that they had seen. */
export function useReturn(onReturn: (since: number) => void): void {
  const session = useSession();
  const [since] = useState(() => seenSeq(session.id));
  const isReady = useSessionSelector(isLoaded);
  const isReported = useRef(false);
  const report = useEffectEvent(onReturn);
  useEffect(() => {
    if (!isReady || since === undefined || isReported.current) return;
    isReported.current = true;
    report(since);
  }, [isReady, since]);
  useEffect(() => {
    let left: { readonly at: number; readonly seq: number } | undefined;
    const onVisibility = (): void => {
      const { seq } = session.getState().session;
      if (document.visibilityState === "hidden") left = { at: Date.now(), seq };
      else if (left && Date.now() - left.at >= AWAY_MS) report(left.seq);
    };
    document.addEventListener("visibilitychange", onVisibility);
    return () => document.removeEventListener("visibilitychange", onVisibility);
  }, [session]);
}
