import { defined } from "@turnwire/base";
import {
  limits,
  type Result,
  SessionId,
  type SessionInfo,
  type Principal,
} from "@turnwire/protocol";
import type { OpenSession, WireHost } from "@turnwire/wire";
import * as z from "zod";
import { kitRejected } from "./dialect/command.ts";

/** The session of an id; a conversation of the agent's own program becomes one. */
export async function findKitSession(
  host: WireHost,
  given: unknown,
  principal: Principal,
): Promise<Result<OpenSession>> {
  const id = typeof given === "string" ? given.trim() : given;
  if (id === undefined || id === null || id === "") {
    return kitRejected("invalid_session_id", "Session ID is required to resume");
  }
  const known = ResumedId.safeParse(id);
  if (known.success) return host.past.open(known.data, principal, { imports: true });
  const message = "sessionId must be 1 to 128 letters, digits, -, _ or @.";
  return kitRejected("invalid_session_id", message);
}

/** Ours, or an agent's: Claude's names a place in its conversation after a rollback. */
const ResumedId = SessionId.or(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]*@[A-Za-z0-9_-]+$/)).pipe(
  z.string().max(128),
);

/** The newest sessions and past conversations that somebody may see, the last changed first. */
export async function listKitSessions(host: WireHost, principal: Principal): Promise<object[]> {
  const limit = limits.sessionPageMax;
  const [{ sessions }, past] = await Promise.all([
    host.list({ principal, limit }),
    host.past.list(principal),
  ]);
  const own = sessions.map(({ session_id, provider_session_id, activity, ...info }) =>
    listed({ ...info, id: provider_session_id ?? session_id, isBusy: activity !== "idle" }),
  );
  const others = past.map(({ provider_session_id: id, ...info }) =>
    listed({ ...info, id, isBusy: false }),
  );
  return [...own, ...others]
    .toSorted((left, right) => right.lastModifiedTime - left.lastModifiedTime)
    .slice(0, limit);
}

interface Listed extends Pick<SessionInfo, "runtime" | "updated_at" | "title" | "cwd" | "model"> {
  readonly id: string;
  readonly isBusy: boolean;
}

function listed({ id: sessionId, runtime, updated_at, isBusy, title, cwd, model }: Listed) {
  const lastModifiedTime = Date.parse(updated_at);
  return { sessionId, runtime, lastModifiedTime, isBusy, ...defined({ title, cwd, model }) };
}
