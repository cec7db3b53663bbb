import { rounds, text, toolUse } from "@turnwire/conformance/anthropic-standin";
import type { EventData } from "@turnwire/protocol";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import {
  briefCommands,
  ConfinedProject,
} from "../../../runtime/src/test-support/confined-project.ts";
import { AgentSession } from "../../../runtime/src/test-support/agent-session.ts";
import type { ClaudePlace } from "./claude-place.ts";

export interface ContainedTurn {
  readonly decisions: readonly EventData<"policy_decision">[];
  /** Secrets and wrappers that came to light. */
  readonly leaks: readonly string[];
}

/** Lets Claude run commands that a policy mode must hold, in a project with canaries. */
export class ContainedLife {
  readonly #place: ClaudePlace;
  readonly project: ConfinedProject;

  constructor(place: ClaudePlace) {
    this.#place = place;
    this.project = ConfinedProject.make(place.cwd, place.env["HOME"] ?? "");
  }

  /** Runs them in one unattended turn, and gives back what became of it. */
  async run(
    host: SessionHost,
    modes: { readonly permission_mode: string; readonly policy_mode: string },
    commands: readonly string[] = briefCommands(this.#place.env["HOME"] ?? ""),
  ): Promise<ContainedTurn> {
    const uses = commands.map((command) => [toolUse("Bash", { command, description: "d" })]);
    const [first = [text("Nothing.")], ...more] = uses;
    this.#place.standin.scenario("contained", rounds(first, ...more, [text("Done.")]));
    const session = await AgentSession.create(host, modes);
    const before = this.#place.standin.requests.length;
    const turnId = await session.say("SCENARIO:contained", { is_unattended: true });
    const events = await session.ended(turnId);
    await session.session.hibernate();
    const requests = this.#place.standin.requests.slice(before).map(({ body }) => body);
    const shown = JSON.stringify([events, requests]);
    return {
      decisions: events.flatMap((event) => (event.type === "policy_decision" ? [event.data] : [])),
      // Neither people nor the model see a secret, or how a command is held.
      leaks: shown.match(/CANARY-[a-z-]+|--ro-bind/g) ?? [],
    };
  }
}
