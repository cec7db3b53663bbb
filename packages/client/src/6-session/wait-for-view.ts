import { ClientError } from "../5-connection/client-error.ts";
import { createDeadline } from "../5-connection/deadline.ts";
import type { AbortSignal, Platform } from "../5-connection/platform.ts";
import type { SessionStore } from "./session-store.ts";
import type { SessionView } from "./session-view.ts";

export interface WaitOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

interface Wait extends WaitOptions {
  readonly platform: Platform;
  /** The caller that waits, for the error's message. */
  readonly name: string;
}

/** The first view, from the present one on, that the predicate holds for. */
export async function waitForView(
  store: SessionStore,
  predicate: (view: SessionView) => boolean,
  { platform, name, signal, timeoutMs }: Wait,
): Promise<SessionView> {
  const deadline = createDeadline(platform, { name, signal, timeoutMs });
  let unsubscribe: (() => void) | undefined;
  const found = new Promise<SessionView>((resolve, reject) => {
    const check = (): void => {
      const view = store.getState();
      try {
        if (predicate(view)) resolve(view);
        else if (isOver(view)) reject(view.connection.error ?? ended(name));
      } catch (thrown) {
        reject(thrown);
      }
    };
    unsubscribe = store.subscribe(check);
    check();
  });
  try {
    return await deadline.race(found);
  } finally {
    unsubscribe?.();
    deadline.release();
  }
}

function isOver({ connection }: SessionView): boolean {
  return connection.status === "failed" || connection.status === "closed";
}

function ended(name: string): ClientError {
  return new ClientError("aborted", `${name} stopped: the session is not followed any more`);
}
