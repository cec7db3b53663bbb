import { useSession } from "@turnwire/react";
import { useEffect } from "react";
import { markSeen } from "./seen.ts";

const MARK_MS = 1_000;

/** Marks this session as seen while its page is on screen. */
export function useMarkSeen(): void {
  const session = useSession();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const mark = (): void => {
      timer = undefined;
      const { seq } = session.getState().session;
      if (seq > 0) markSeen(session.id, seq);
    };
    const markSoon = (): void => {
      if (document.visibilityState === "visible") timer ??= setTimeout(mark, MARK_MS);
    };
    const onVisibility = (): void => {
      clearTimeout(timer);
      mark();
    };
    const stop = session.subscribe(markSoon);
    markSoon();
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      stop();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisibility);
      if (document.visibilityState === "visible") mark();
    };
  }, [session]);
}
