import { useConnection, useSession } from "@turnwire/react";
import { useSyncExternalStore } from "react";
import style from "./connection-note.module.css";
import { useSecond } from "../../element/use-now.ts";

function subscribeToLine(listener: () => void): () => void {
  addEventListener("online", listener);
  addEventListener("offline", listener);
  return () => {
    removeEventListener("online", listener);
    removeEventListener("offline", listener);
  };
}

/** How the line to the server is, where it is not well, and the way to try at once. */
export function ConnectionNote() {
  const { status, retryAt, error, attempt } = useConnection();
  const session = useSession();
  const isOffline = useSyncExternalStore(subscribeToLine, () => !navigator.onLine);
  const isBroken = status === "waiting" || status === "failed" || isOffline;
  const isMending = status === "connecting" && attempt > 0;
  const now = useSecond(isBroken && retryAt !== undefined);
  const seconds = retryAt === undefined ? 0 : Math.ceil((retryAt - now) / 1_000);
  return (
    <div role="status">
      {(isBroken || isMending) && (
        <p className={style.note}>
          <span className={style.text}>
            {isOffline
              ? "You are offline. What you write is sent when the line is back."
              : status === "failed"
                ? `Not connected. ${error?.message ?? ""}`
                : "The connection is lost; what you see may be old."}
          </span>
          {!isOffline && seconds > 0 && (
            <span className={style.when} aria-hidden="true">
              next try in {seconds} s
            </span>
          )}
          <button type="button" onClick={() => session.reconnect()}>
            Reconnect
          </button>
        </p>
      )}
    </div>
  );
}
