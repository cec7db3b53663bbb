import type { SessionView } from "@turnwire/client";
import type { Activity } from "@turnwire/protocol";
import { useSessionSelector } from "./session-selector.ts";

/** The current activity of the session, for a status line. */
export function useActivity(): Activity {
  return useSessionSelector(activityOf);
}

function activityOf({ session }: SessionView): Activity {
  return session.activity;
}
