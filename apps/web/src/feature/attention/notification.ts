import { createStore } from "@turnwire/base";
import { titleOf } from "../session/session-title.ts";
import { showToast } from "../../element/toast.ts";
import { useStore } from "../../element/use-store.ts";
import { navigate } from "../navigation/navigation.ts";
import type { News } from "./news.ts";

const KEY = "turnwire.notifications";

function isOn(): boolean {
  return (
    "Notification" in globalThis &&
    Notification.permission === "granted" &&
    localStorage.getItem(KEY) === "on"
  );
}

const state = createStore(isOn());

function change(value: "on" | "off"): void {
  localStorage.setItem(KEY, value);
  state.set(isOn());
}

/** Whether this browser notifies the person of waiting agents while the window is hidden. */
export function useNotificationsOn(): boolean {
  return useStore(state);
}

/** Turns notifications on, if the browser allows it, or off. */
export async function toggleNotifications(): Promise<void> {
  if (isOn()) return change("off");
  if (!("Notification" in globalThis)) {
    return showToast("This browser does not support notifications", { isError: true });
  }
  const permission = await Notification.requestPermission();
  if (permission === "granted") return change("on");
  showToast("Notifications are blocked. Allow them in the browser's settings for this page.", {
    isError: true,
  });
}

const words: Readonly<Record<News["type"], string>> = {
  waiting: "The agent needs an answer",
  done: "The agent is done",
};

/** Shows a notification of the system; a click on it opens the session. */
export function notify({ session, type }: News): void {
  if (!isOn()) return;
  const note = shown(titleOf(session), { body: words[type], tag: session.session_id });
  note?.addEventListener("click", () => {
    focus();
    navigate({ type: "session", sessionId: session.session_id });
    note.close();
  });
}

/** Undefined on phones whose browsers allow notifications from service workers only: they are turned off then. */
function shown(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options);
  } catch {
    change("off");
    return undefined;
  }
}
