import { rejected, type Result, type Principal } from "@turnwire/protocol";
import type { OpenSession, WireHost } from "@turnwire/wire";

/** The session of an id: ours, or the one that the agent's own program gave the conversation. */
export async function findSession(
  host: WireHost,
  id: string,
  principal: Principal,
): Promise<Result<OpenSession>> {
  const found = await host.past.open(id, principal);
  if (found.ok || found.error.code !== "session_not_found") return found;
  return rejected("session_not_found", `There is no session ${JSON.stringify(id.slice(0, 100))}.`);
}
