import type { Session } from "@turnwire/client";
import { CliError } from "../error/cli-error.ts";

/** How long a server may be away: it may be restarting. */
const LONGEST_ABSENCE_MS = 5 * 60_000;

/** Notices a server that stays away, which the client itself would wait for without end. */
export function watchForLoss(
  session: Pick<Session, "id" | "getState" | "subscribe">,
  longestMs = LONGEST_ABSENCE_MS,
): { readonly lost: Promise<never>; readonly release: () => void } {
  let timer: NodeJS.Timeout | undefined;
  let release: () => void = () => undefined;
  const lost = new Promise<never>((_resolve, reject) => {
    const look = (): void => {
      const { status } = session.getState().connection;
      const isThere = status === "live" || status === "replaying";
      if (isThere) {
        clearTimeout(timer);
        timer = undefined;
        return;
      }
      timer ??= setTimeout(() => {
        const message = `The server does not answer any more; session ${session.id} may still be at work.`;
        reject(new CliError("no_server", message));
      }, longestMs);
    };
    const unsubscribe = session.subscribe(look);
    release = () => {
      clearTimeout(timer);
      unsubscribe();
    };
    look();
  });
  return { lost, release: () => release() };
}
