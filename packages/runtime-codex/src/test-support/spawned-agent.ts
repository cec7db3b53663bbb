import {
  call,
  gate,
  type OpenaiRequest,
  type Scenario,
  text,
} from "@turnwire/conformance/openai-standin";
import { beforeAll } from "vitest";
import type { AgentSession } from "../../../runtime/src/test-support/agent-session.ts";
import type { useCodexPlace } from "./codex-place.ts";

/** Starts an agent of the type that the prompt names, and ends when the gate is passed that it names too. */
const spawn: Scenario = ({ round, argument }) => {
  const [agentType = "", passed = ""] = argument.split(" ");
  const input = { task_name: "task", message: "SCENARIO:text child", fork_turns: "none" };
  if (round === 0)
    return [call("spawn_agent", { ...input, agent_type: agentType }, "collaboration")];
  return [gate(passed), text("Back.")];
};

/**
 * A turn that starts an agent of a type and ends after the agent's own request: its requests. Where
 * Codex knows no such agent it starts none, and none is waited for.
 */
export function useSpawnedAgents(place: ReturnType<typeof useCodexPlace>) {
  let turns = 0;
  beforeAll(() => place.standin.scenario("spawn", spawn));
  return async (
    session: AgentSession,
    agentType: string,
    isKnown = true,
  ): Promise<readonly OpenaiRequest[]> => {
    const { standin } = place;
    const before = standin.requests.length;
    const passed = `spawned-${++turns}`;
    const turn = session.turn(`SCENARIO:spawn ${agentType} ${passed}`);
    if (isKnown) {
      await standin.request(
        (request) =>
          request.parentThreadId !== undefined && standin.requests.indexOf(request) >= before,
      );
    }
    standin.release(passed);
    await turn;
    return standin.requests.slice(before);
  };
}
