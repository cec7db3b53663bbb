import { detach } from "@turnwire/base";
import { isInside } from "../../1-runtime/path-inside.ts";
import type { Session } from "../session.ts";

/** The trust of a directory has changed: idle agents in it end. Others take what is in force at their next turn. */
export function reconfigureInside(
  path: string,
  sessions: Iterable<Session>,
  onError: (error: unknown) => void,
): void {
  for (const session of sessions) {
    const { cwd } = session.control.session;
    if (cwd !== undefined && isInside(cwd, path)) detach(session.reconfigure(), onError);
  }
}
