interface SeedAgent {
  readonly agentId: string;
  isDisconnected: boolean;
  hasContent: boolean;
}

/**
 * The rotation of agents-ui word for word, with its four maps: what the pure one is held to. It
 * knows no session that two connections speak of.
 */
export class SeedRotation {
  readonly #agents = new Map<string, SeedAgent>();
  readonly #connectionAgentIds = new Map<string, string>();
  readonly #sessionAgentIds = new Map<string, string>();
  readonly #sessionIds = new Map<string, string>();
  readonly #connectionOwnedAgents = new Map<string, Set<string>>();
  #created = 0;

  opened(connectionId: string): void {
    const current = this.#current(connectionId);
    if (current && !current.hasContent && !current.isDisconnected) return;
    this.#create(connectionId);
  }

  message(connectionId: string, sessionId: string | undefined, isContent: boolean): string {
    const agent =
      sessionId === undefined
        ? (this.#current(connectionId) ?? this.#create(connectionId))
        : this.#agentFor(connectionId, sessionId);
    agent.hasContent ||= isContent;
    return agent.agentId;
  }

  disconnected(connectionId: string): void {
    for (const agentId of this.#connectionOwnedAgents.get(connectionId) ?? []) {
      const agent = this.#agents.get(agentId);
      if (agent) agent.isDisconnected = true;
      const sessionId = this.#sessionIds.get(agentId);
      if (sessionId !== undefined && this.#sessionAgentIds.get(sessionId) === agentId) {
        this.#sessionAgentIds.delete(sessionId);
      }
    }
  }

  closed(connectionId: string): void {
    this.disconnected(connectionId);
    this.#connectionAgentIds.delete(connectionId);
  }

  #agentFor(connectionId: string, sessionId: string): SeedAgent {
    const current = this.#current(connectionId);
    // 1. An existing agent, unless it is disconnected: then the mapping is stale.
    const known = this.#agents.get(this.#sessionAgentIds.get(sessionId) ?? "");
    if (known && !known.isDisconnected) return this.#bind(connectionId, sessionId, known);
    this.#sessionAgentIds.delete(sessionId);
    // 2. The current agent owns this session already.
    if (current && this.#sessionIds.get(current.agentId) === sessionId) {
      current.isDisconnected = false;
      return this.#bind(connectionId, sessionId, current);
    }
    // 3. A fresh placeholder.
    const isFresh = current && !this.#sessionIds.has(current.agentId) && !current.hasContent;
    if (isFresh && !current.isDisconnected) return this.#bind(connectionId, sessionId, current);
    // 4. A new agent.
    return this.#bind(connectionId, sessionId, this.#create(connectionId));
  }

  #bind(connectionId: string, sessionId: string, agent: SeedAgent): SeedAgent {
    this.#sessionAgentIds.set(sessionId, agent.agentId);
    this.#sessionIds.set(agent.agentId, sessionId);
    this.#connectionAgentIds.set(connectionId, agent.agentId);
    return agent;
  }

  #current(connectionId: string): SeedAgent | undefined {
    return this.#agents.get(this.#connectionAgentIds.get(connectionId) ?? "");
  }

  #create(connectionId: string): SeedAgent {
    this.#created += 1;
    const agent = { agentId: `agent-${this.#created}`, isDisconnected: false, hasContent: false };
    this.#agents.set(agent.agentId, agent);
    this.#connectionAgentIds.set(connectionId, agent.agentId);
    const owned = this.#connectionOwnedAgents.get(connectionId) ?? new Set();
    this.#connectionOwnedAgents.set(connectionId, owned.add(agent.agentId));
    return agent;
  }
}
