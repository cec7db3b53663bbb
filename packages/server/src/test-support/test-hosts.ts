import { createMemoryStore, type Store, type StoreHint } from "@turnwire/log";
import { interceptStore } from "../../../log/src/test-support/intercepted-store.ts";
import { ManualClock } from "../../../base/src/test-support/manual-clock.ts";
import type { FollowedSession } from "../3-host/remote/followed-session.ts";
import type { OpenSession } from "../../../wire/src/open-session.ts";
import type { SessionHost } from "../3-host/session-host.ts";
import type { SessionHostOptions } from "../3-host/creation/session-host-options.ts";
import { onTestFinished } from "vitest";
import { admin, openTestHost } from "./test-host.ts";

/** Two hosts over one store and one clock, which only the test moves; both close with the test. */
export function openTestHosts(options: Partial<SessionHostOptions> = {}) {
  const clock = new ManualClock();
  const store = options.store ?? createMemoryStore({ clock, isShared: true });
  const open = (own: Partial<SessionHostOptions> = {}) => {
    const opened = openTestHost({ clock, ...options, store, ...own });
    onTestFinished(() => opened.host.close());
    return opened;
  };
  return { store, clock, first: open(), second: open(), open };
}

/** A session as a host offers it to readers. */
export async function openedOn(host: SessionHost, sessionId: string): Promise<OpenSession> {
  const opened = await host.openOrRead(sessionId, admin);
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

/** The same, where another host runs the session. */
export async function followedOn(host: SessionHost, sessionId: string): Promise<FollowedSession> {
  const opened = await openedOn(host, sessionId);
  if (!("endReason" in opened)) throw new Error("This host runs the session.");
  return opened as FollowedSession;
}

/** A store that passes on no hints, or only those that fit. */
export function hushed(store: Store, passes: (hint: StoreHint) => boolean = () => false): Store {
  return interceptStore(store, {
    watch: (onHint) =>
      store.watch((hint) => {
        if (passes(hint)) onHint(hint);
      }),
  });
}
