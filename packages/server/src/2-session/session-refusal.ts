import { errorText } from "@turnwire/base";
import { rejected } from "@turnwire/protocol";
import { RuntimeError } from "../1-runtime/runtime.ts";

export function notLive(): ReturnType<typeof rejected> {
  return rejected("overloaded", "The session is being put to sleep: try again.");
}

/** Instructions hold for whole turns. */
export function notQuiet(): ReturnType<typeof rejected> {
  return rejected("turn_running", "The session is at work: try again when it is idle.");
}

/** The agent could not be started. */
export function notWoken(error: unknown): ReturnType<typeof rejected> {
  const isBusy = error instanceof RuntimeError && error.code === "busy";
  return rejected(isBusy ? "overloaded" : "runtime_unavailable", errorText(error));
}

export function archived(): ReturnType<typeof rejected> {
  return rejected("session_archived", "The session is archived: unarchive it first.");
}
