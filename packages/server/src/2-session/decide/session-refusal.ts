import { rejected } from "@turnwire/protocol";

export function notLive(): ReturnType<typeof rejected> {
  return rejected("overloaded", "The session is hibernating. Try again.");
}

/** Instructions hold for whole turns. */
export function notQuiet(): ReturnType<typeof rejected> {
  return rejected("turn_running", "The session is at work: try again when it is idle.");
}

export function archived(): ReturnType<typeof rejected> {
  return rejected("session_archived", "The session is archived: unarchive it first.");
}
