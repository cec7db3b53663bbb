import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { createMemoryStore } from "@turnwire/log";
import type { Session } from "../2-session/session.ts";
import { SessionHost } from "../3-host/session-host.ts";
import type { SessionHostOptions } from "../3-host/creation/session-host-options.ts";
import type { Principal } from "@turnwire/protocol";
import { ManualClock } from "../../../base/src/test-support/manual-clock.ts";
import { ScriptedRuntime } from "./scripted-runtime.ts";

export const admin: Principal = { id: "admin", isAdmin: true };

/** A host with a scripted runtime and a clock that only tests move; errors are kept for looking at. */
export function openTestHost(options: Partial<SessionHostOptions> = {}) {
  const runtime = new ScriptedRuntime();
  const clock = new ManualClock();
  const store = options.store ?? createMemoryStore();
  const hostId = options.hostId ?? randomUUID();
  const errors: unknown[] = [];
  const host = new SessionHost({
    store,
    hostId,
    runtimes: [runtime],
    defaultRuntime: "scripted",
    roots: [tmpdir()],
    clock,
    onError: (error) => errors.push(error),
    ...options,
  });
  /** The store knows that the process is gone, as SQLite does when it is opened; nothing else of it ends. */
  const crash = () => store.removeHolder(hostId);
  return { host, runtime, clock, store, errors, crash };
}

/** A fresh session, or the reason why there is none. */
export async function createTestSession(host: SessionHost, principal = admin): Promise<Session> {
  const created = await host.create({}, principal);
  if (!created.ok) throw new Error(created.error.message);
  return created.value;
}
