import type { ToolGate } from "@turnwire/runtime";
import type { Agent } from "./agent.ts";

/**
 * Commands within skills and slash commands run without any hook (seen with 2.1.325): where a policy
 * would judge them, they do not run.
 */
export class SkillShell {
  readonly #gate: ToolGate | undefined;
  #closedIn: Agent | undefined;

  constructor(gate: ToolGate | undefined) {
    this.#gate = gate;
  }

  /** To be called before each turn: the session may have got a policy mode, or lost it. */
  async prepare(agent: Agent): Promise<void> {
    const isClosed = this.#gate?.sandbox !== undefined;
    if (isClosed === (this.#closedIn === agent)) return;
    const disableSkillShellExecution = isClosed ? true : null;
    await agent.query.applyFlagSettings({ disableSkillShellExecution });
    this.#closedIn = isClosed ? agent : undefined;
  }
}
