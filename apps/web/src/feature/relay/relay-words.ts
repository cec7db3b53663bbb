import type { RelayAgent } from "@turnwire/client/relay";
import type { RelayInfo, SessionInfo } from "@turnwire/protocol";

export const programNames: Readonly<Record<RelayInfo["program"], string>> = {
  turnwire: "Turnwire relay",
  "agents-ui": "agents-ui relay",
  loop: "loop",
};

export const agentStatuses: Readonly<Record<RelayAgent["status"], string>> = {
  connected: "Connected",
  reconnecting: "Reconnecting",
  disconnected: "Disconnected",
};

/** An agent by where it works, else by its session. */
export function agentTitle({ cwd, sessionId }: RelayAgent): string {
  const folder = cwd?.split(/[/\\]/).findLast((part) => part !== "");
  return folder ?? (sessionId === undefined ? "Session" : `Session ${shortId(sessionId)}`);
}

/** What tells it from others of that title. */
export function agentFacts({ cwd, sessionId, model }: RelayAgent): string {
  const id = cwd !== undefined && sessionId !== undefined ? shortId(sessionId) : undefined;
  return [model, id].filter((fact) => fact !== undefined).join(" · ");
}

function shortId(id: string): string {
  return id.length <= 12 ? id : `${id.slice(0, 8)}…`;
}

/** The session of this server that a relay speaks of, by our id or by the agent's own. */
export function ownSession(
  sessions: readonly SessionInfo[],
  { sessionId }: RelayAgent,
): SessionInfo | undefined {
  if (sessionId === undefined) return undefined;
  return sessions.find(
    ({ session_id, provider_session_id }) =>
      session_id === sessionId || provider_session_id === sessionId,
  );
}
