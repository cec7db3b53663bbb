import { defined } from "@turnwire/base";
import { limits, type Result, SessionId, type Principal } from "@turnwire/protocol";
import type { OpenSession, WireHost } from "@turnwire/wire";
import { kitRejected } from "./dialect/command.ts";

/** The session of an id; a conversation of the agent's own program becomes one. */
export async function findKitSession(
  host: WireHost,
  given: unknown,
  principal: Principal,
): Promise<Result<OpenSession>> {
  const id = SessionId.safeParse(given);
  if (id.success) return host.past.open(id.data, principal, { imports: true });
  const message =
    given === undefined || given === null || given === ""
      ? "Session ID is required to resume"
      : "sessionId must be 1 to 128 letters, digits, - or _.";
  return kitRejected("invalid_session_id", message);
}

/** The newest sessions that somebody may see, the last changed first. */
export async function listKitSessions(host: WireHost, principal: Principal): Promise<object[]> {
  const { sessions } = await host.list({ principal, limit: limits.sessionPageDefault });
  return sessions.map(({ session_id, updated_at, activity, title, cwd, model, runtime }) => ({
    sessionId: session_id,
    runtime,
    lastModifiedTime: Date.parse(updated_at),
    isBusy: activity !== "idle",
    ...defined({ title, cwd, model }),
  }));
}
