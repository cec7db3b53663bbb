import { rejected, type Result } from "@turnwire/protocol";
import type { OpenSession } from "../../2-session/port/open-session.ts";
import type { Principal } from "../../0-storage/principal.ts";
import type { SessionHost } from "../../3-host/session-host.ts";

/** The session of an id: ours, or the one that the agent's own program gave the conversation. */
export async function findSession(
  host: SessionHost,
  id: string,
  principal: Principal,
): Promise<Result<OpenSession>> {
  const own = await host.openOrRead(id, principal);
  if (own.ok || own.error.code !== "session_not_found") return own;
  const known = (await host.providerSessions()).get(id);
  if (known !== undefined) return host.openOrRead(known, principal);
  return rejected("session_not_found", `There is no session ${JSON.stringify(id.slice(0, 100))}.`);
}
