import { defined } from "@turnwire/base";
import { limits, type Result, SessionId } from "@turnwire/protocol";
import type { OpenSession } from "../../2-session/port/open-session.ts";
import type { Principal } from "../../0-storage/principal.ts";
import type { SessionHost } from "../../3-host/session-host.ts";
import { kitRejected } from "../../3-dialect/kit/command.ts";

/**
 * The session of an id: one of ours, one whose conversation has that id in its agent's own
 * program, or for admins such a conversation on this machine, which becomes a session.
 */
export async function findKitSession(
  host: SessionHost,
  given: unknown,
  principal: Principal,
): Promise<Result<OpenSession>> {
  const id = SessionId.safeParse(given);
  if (!id.success) {
    const message =
      given === undefined || given === null || given === ""
        ? "Session ID is required to resume"
        : "sessionId must be 1 to 128 letters, digits, - or _.";
    return kitRejected("invalid_session_id", message);
  }
  const own = await host.openOrRead(id.data, principal);
  if (own.ok || own.error.code !== "session_not_found") return own;
  const known = (await host.providerSessions()).get(id.data);
  if (known !== undefined) return host.openOrRead(known, principal);
  if (!principal.isAdmin) return own;
  for (const runtime of host.histories.keys()) {
    const imported = await host.past.import({ runtime, provider_session_id: id.data }, principal);
    if (imported.ok) return host.openOrRead(imported.value.info.session_id, principal);
    if (imported.error.code !== "not_found") return imported;
  }
  return own;
}

/** The newest sessions that somebody may see, the last changed first. */
export async function listKitSessions(host: SessionHost, principal: Principal): Promise<object[]> {
  const { sessions } = await host.list({ principal, limit: limits.sessionPageDefault });
  return sessions.map(({ session_id, updated_at, activity, title, cwd, model, runtime }) => ({
    sessionId: session_id,
    runtime,
    lastModifiedTime: Date.parse(updated_at),
    isBusy: activity !== "idle",
    ...defined({ title, cwd, model }),
  }));
}
