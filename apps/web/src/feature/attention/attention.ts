import { detach } from "@turnwire/base";
import { useEffect, useRef } from "react";
import { useSessionList } from "../session/sessions.tsx";
import { activitiesOf, newsFrom, type Activities } from "./news.ts";
import { notify } from "./notification.ts";
import { markWaiting } from "../page/page-title.ts";

/** Draws attention to agents that wait: by the window's title, the app's badge, and notifications if they are on. */
export function useAttention(): void {
  const { sessions } = useSessionList();
  const before = useRef<Activities>(new Map());
  const waiting = sessions.filter(
    ({ activity, status }) => activity === "waiting" && status !== "archived",
  ).length;
  useEffect(() => {
    markWaiting(waiting);
    showBadge(waiting);
  }, [waiting]);
  useEffect(() => {
    const news = newsFrom(before.current, sessions);
    before.current = activitiesOf(sessions);
    if (document.visibilityState === "hidden") news.forEach(notify);
  }, [sessions]);
}

/** A refused badge does not matter: the title shows the same. */
function showBadge(count: number): void {
  if (!("setAppBadge" in navigator)) return;
  const shown = count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge();
  detach(shown, () => undefined);
}
