import { useConnection, useSession } from "@turnwire/react";
import { useSyncExternalStore } from "react";
import { plainError } from "../../element/plain-error.ts";
import style from "./connection-note.module.css";
import { useSecond } from "../../element/use-now.ts";

function subscribeToOnline(listener: () => void): () => void {
  addEventListener("online", listener);
  addEventListener("offline", listener);
  return () => {
    removeEventListener("online", listener);
    removeEventListener("offline", listener);
  };
}

/** Shown while the connection is broken, with a button to reconnect. */
export function ConnectionNote() {
  const { status, retryAt, error, attempt } = useConnection();
  const session = useSession();
  const isOffline = useSyncExternalStore(subscribeToOnline, () => !navigator.onLine);
  const isBroken = status === "waiting" || status === "failed" || isOffline;
  const isMending = status === "connecting" && attempt > 0;
  const now = useSecond(isBroken && retryAt !== undefined);
  const seconds = retryAt === undefined ? 0 : Math.ceil((retryAt - now) / 1_000);
  return (
    <div role="status">
      {(isBroken || isMending) && (
        <p className={`row gap-3 small ink ${style.note}`}>
          <span className="grow">
            {isOffline
              ? "You're offline. Messages are sent when you reconnect."
              : status === "failed"
                ? `Not connected. ${error ? plainError(error) : ""}`
                : "Disconnected. This may be out of date."}
          </span>
          {!isOffline && seconds > 0 && (
            <span className="numbers soft" aria-hidden="true">
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
