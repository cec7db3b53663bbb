import type { SessionEvent, SessionEventOf } from "../event/event.ts";
import { unless, type Broken, type RuleSet } from "./rule.ts";

/** Output and the one result belong to a tool that has started; a sub-agent to the tool that spawned it. */
export class ToolRules implements RuleSet {
  readonly #started = new Set<string>();
  readonly #running = new Set<string>();
  readonly #spawns = new Set<string>();

  check(event: SessionEvent): Broken[] {
    const { subagent_id: subagentId } = event;
    return [
      ...unless(
        subagentId === undefined || this.#spawns.has(subagentId),
        "subagent_unknown",
        `no tool spawned sub-agent ${subagentId}`,
      ),
      ...this.#checkTool(event),
    ];
  }

  #checkTool(event: SessionEvent): Broken[] {
    if (event.type === "tool_start") return this.#start(event);
    if (event.type !== "tool_output" && event.type !== "tool_result") return [];
    const { tool_use_id: id } = event.data;
    const isKnown = event.type === "tool_output" ? this.#started.has(id) : this.#running.delete(id);
    return unless(isKnown, "tool_unknown", `no tool ${id} waits for a ${event.type}`);
  }

  #start(event: SessionEventOf<"tool_start">): Broken[] {
    const { tool_use_id: id, subagent_spawn } = event.data;
    const isNew = !this.#started.has(id);
    this.#started.add(id);
    this.#running.add(id);
    if (subagent_spawn === true) this.#spawns.add(id);
    return unless(isNew, "tool_repeated", `tool ${id} started before`);
  }
}
