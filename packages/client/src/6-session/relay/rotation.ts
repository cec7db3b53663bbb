import type { RelayLine, RelayMessage } from "../../5-connection/relay/relay-line.ts";

/**
 * Which agent tab a session of a relay belongs to, as a value. One session id has one tab until its
 * agent disconnects; a relay's next session gets another. Lines without a session id belong to the
 * agent that the connection spoke of last.
 */
export interface Rotation {
  readonly binding: FirstSessionBinding;
  /** By agent id, oldest first. */
  readonly agents: ReadonlyMap<string, RelayAgent>;
  /** The agent that each connection spoke of last. */
  readonly currentAgents: ReadonlyMap<string, string>;
  /** By session id, the agent that its lines go to. Never one that is disconnected. */
  readonly sessionAgents: ReadonlyMap<string, string>;
  readonly created: number;
}

export interface RelayAgent {
  readonly agentId: string;
  /** The connection that spoke of it last: only the end of this one matters to it. */
  readonly connectionId: string;
  readonly sessionId?: string;
  readonly status: "connected" | "reconnecting" | "disconnected";
  readonly hasContent: boolean;
  readonly model?: string;
  readonly cwd?: string;
}

/**
 * When a connection's first session takes the agent that is there before any session is known.
 * empty: only while nothing was shown in it. any: also then, as agents-ui does since 2026.
 */
export type FirstSessionBinding = "empty" | "any";

export type RotationInput =
  | { readonly type: "opened"; readonly connectionId: string }
  | { readonly type: "line"; readonly connectionId: string; readonly line: RelayLine }
  | {
      readonly type: "closed";
      readonly connectionId: string;
      /** It will be opened again. */
      readonly willReopen: boolean;
    };

export interface RotationStep {
  readonly rotation: Rotation;
  /** The agent that a message belongs to. */
  readonly agentId?: string;
}

/** Agents that are gone stay to be read, the newest ones. */
const MAX_DISCONNECTED = 50;

export function createRotation(binding: FirstSessionBinding = "empty"): Rotation {
  const none = new Map<string, never>();
  return { binding, agents: none, currentAgents: none, sessionAgents: none, created: 0 };
}

/** The same rotation where nothing changes. */
export function rotate(rotation: Rotation, input: RotationInput): RotationStep {
  const { connectionId } = input;
  switch (input.type) {
    case "opened":
      return { rotation: opened(rotation, connectionId) };
    case "closed":
      return { rotation: closed(rotation, connectionId, input.willReopen) };
    case "line":
      return lineTaken(rotation, connectionId, input.line);
  }
}

/** The agents that a front end has tabs for: those of a session, and those that showed something. */
export function shownAgents({ agents }: Rotation): readonly RelayAgent[] {
  return Array.from(agents.values()).filter((agent) => !isPlaceholder(agent));
}

function isPlaceholder({ sessionId, hasContent }: RelayAgent): boolean {
  return sessionId === undefined && !hasContent;
}

/** A connection that comes back has a fresh agent, unless nothing was shown in the one it had. */
function opened(rotation: Rotation, connectionId: string): Rotation {
  const current = currentAgent(rotation, connectionId);
  const isUsable =
    current?.connectionId === connectionId &&
    current.status !== "disconnected" &&
    !current.hasContent;
  return isUsable
    ? withAgent(rotation, { ...current, status: "connected" })
    : fresh(rotation, connectionId);
}

function lineTaken(rotation: Rotation, connectionId: string, line: RelayLine): RotationStep {
  switch (line.type) {
    case "ignored":
      return { rotation };
    case "status": {
      if (!line.isDisconnected) return { rotation };
      const { sessionId } = line;
      return {
        rotation: disconnected(rotation, (agent) =>
          sessionId === undefined
            ? agent.connectionId === connectionId
            : agent.sessionId === sessionId,
        ),
      };
    }
    case "message": {
      const sessionId = sessionIdOf(rotation, line);
      const placed = placeOf(rotation, connectionId, sessionId);
      const isAlive = sessionId !== undefined || placed.agent.status !== "disconnected";
      const agent = agentAfter(placed.agent, { connectionId, line, isAlive });
      const current = withCurrent(placed.rotation, connectionId, agent.agentId);
      return { rotation: withAgent(current, agent), agentId: agent.agentId };
    }
  }
}

interface Place {
  readonly rotation: Rotation;
  readonly agent: RelayAgent;
}

/** The order of these rules is the algorithm. */
function placeOf(rotation: Rotation, connectionId: string, sessionId: string | undefined): Place {
  const current = currentAgent(rotation, connectionId);
  if (sessionId === undefined) {
    return current ? { rotation, agent: current } : created(rotation, connectionId);
  }
  const known = rotation.agents.get(rotation.sessionAgents.get(sessionId) ?? "");
  if (known) return { rotation, agent: known };
  const canTake = current?.sessionId === sessionId || (current && isFree(rotation, current));
  const place = current && canTake ? { rotation, agent: current } : created(rotation, connectionId);
  return { rotation: place.rotation, agent: { ...place.agent, sessionId } };
}

/** An id that patterns found in a broken line may be any word: it must be a known session, or introduce one. */
function sessionIdOf({ sessionAgents }: Rotation, message: RelayMessage): string | undefined {
  const { sessionId, isRecovered, isInit } = message;
  if (sessionId === undefined || !isRecovered || isInit) return sessionId;
  return sessionAgents.has(sessionId) ? sessionId : undefined;
}

function isFree({ binding }: Rotation, { sessionId, hasContent, status }: RelayAgent): boolean {
  if (sessionId !== undefined || status === "disconnected") return false;
  return binding === "any" || !hasContent;
}

interface Heard {
  readonly connectionId: string;
  readonly line: RelayMessage;
  /** A line of its own session shows that it lives. */
  readonly isAlive: boolean;
}

function agentAfter(agent: RelayAgent, { connectionId, line, isAlive }: Heard): RelayAgent {
  const { model, cwd } = line;
  return {
    ...agent,
    connectionId,
    status: isAlive ? "connected" : "disconnected",
    hasContent: agent.hasContent || line.isContent,
    ...(model !== undefined && { model }),
    ...(cwd !== undefined && { cwd }),
  };
}

/** The agents after the end of a connection: waiting for it, or gone. */
function closed(rotation: Rotation, connectionId: string, willReopen: boolean): Rotation {
  const isOwned = (agent: RelayAgent): boolean => agent.connectionId === connectionId;
  if (willReopen) {
    return changed(rotation, (agent) =>
      isOwned(agent) && agent.status === "connected" ? { ...agent, status: "reconnecting" } : agent,
    );
  }
  if (!rotation.currentAgents.has(connectionId)) return rotation;
  const currentAgents = new Map(rotation.currentAgents);
  currentAgents.delete(connectionId);
  const left = disconnected({ ...rotation, currentAgents }, isOwned);
  const kept = Array.from(left.agents).filter(([, agent]) => !isOwned(agent) || agent.hasContent);
  return { ...left, agents: new Map(kept) };
}

/** Their sessions, should they come again, do not go to dead agents. */
function disconnected(rotation: Rotation, isGone: (agent: RelayAgent) => boolean): Rotation {
  const next = changed(rotation, (agent) =>
    isGone(agent) && agent.status !== "disconnected" ? { ...agent, status: "disconnected" } : agent,
  );
  if (next === rotation) return rotation;
  const sessionAgents = Array.from(next.sessionAgents).filter(
    ([, agentId]) => next.agents.get(agentId)?.status !== "disconnected",
  );
  return bounded({ ...next, sessionAgents: new Map(sessionAgents) });
}

function bounded(rotation: Rotation): Rotation {
  const current = new Set(rotation.currentAgents.values());
  const gone = Array.from(rotation.agents.values()).filter(
    ({ agentId, status }) => status === "disconnected" && !current.has(agentId),
  );
  if (gone.length <= MAX_DISCONNECTED) return rotation;
  const agents = new Map(rotation.agents);
  for (const { agentId } of gone.slice(0, gone.length - MAX_DISCONNECTED)) agents.delete(agentId);
  return { ...rotation, agents };
}

function currentAgent(rotation: Rotation, connectionId: string): RelayAgent | undefined {
  return rotation.agents.get(rotation.currentAgents.get(connectionId) ?? "");
}

function fresh(rotation: Rotation, connectionId: string): Rotation {
  const place = created(rotation, connectionId);
  return withAgent(withCurrent(place.rotation, connectionId, place.agent.agentId), place.agent);
}

function created(rotation: Rotation, connectionId: string): Place {
  const count = rotation.created + 1;
  const agent: RelayAgent = {
    agentId: `agent-${count}`,
    connectionId,
    status: "connected",
    hasContent: false,
  };
  return { rotation: { ...rotation, created: count }, agent };
}

/** A placeholder that the connection turns away from is of no use any more. */
function withCurrent(rotation: Rotation, connectionId: string, agentId: string): Rotation {
  const before = currentAgent(rotation, connectionId);
  if (before?.agentId === agentId) return rotation;
  const currentAgents = new Map(rotation.currentAgents).set(connectionId, agentId);
  if (!before || !isPlaceholder(before)) return { ...rotation, currentAgents };
  const agents = new Map(rotation.agents);
  agents.delete(before.agentId);
  return { ...rotation, currentAgents, agents };
}

function withAgent(rotation: Rotation, agent: RelayAgent): Rotation {
  const before = rotation.agents.get(agent.agentId);
  const { sessionId, agentId, status } = agent;
  const isRouted = sessionId === undefined || rotation.sessionAgents.get(sessionId) === agentId;
  const agents =
    before && isSame(before, agent)
      ? rotation.agents
      : new Map(rotation.agents).set(agentId, agent);
  const sessionAgents =
    isRouted || status === "disconnected"
      ? rotation.sessionAgents
      : new Map(rotation.sessionAgents).set(sessionId, agentId);
  const isUnchanged = agents === rotation.agents && sessionAgents === rotation.sessionAgents;
  return isUnchanged ? rotation : { ...rotation, agents, sessionAgents };
}

function changed(rotation: Rotation, change: (agent: RelayAgent) => RelayAgent): Rotation {
  let agents: Map<string, RelayAgent> | undefined;
  for (const [agentId, agent] of rotation.agents) {
    const next = change(agent);
    if (next === agent) continue;
    agents ??= new Map(rotation.agents);
    agents.set(agentId, next);
  }
  return agents ? { ...rotation, agents } : rotation;
}

function isSame(left: RelayAgent, right: RelayAgent): boolean {
  return (
    left.connectionId === right.connectionId &&
    left.sessionId === right.sessionId &&
    left.status === right.status &&
    left.hasContent === right.hasContent &&
    left.model === right.model &&
    left.cwd === right.cwd
  );
}
