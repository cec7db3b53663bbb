import { toolUse, text as say, type Scenario } from "@turnwire/conformance/anthropic-standin";
import {
  call,
  text as write,
  type Scenario as CodexScenario,
} from "@turnwire/conformance/openai-standin";
import type { JsonObject, UiTool } from "@turnwire/protocol";
import type { StandinAgents } from "./standin-agents.ts";

/** What the model does next: it uses one of the UI tools, or says something and is done. */
type Move = { readonly tool: UiTool; readonly input: JsonObject } | string;

type Story = (round: number, argument: string, lastResult: string) => Move;

export const bars = [12, 30, 21, 44] as const;
const steps = ["Write the tests", "SCENARIO:approve Ship it", "Tell people"] as const;

/** Grows a chart in the chat bar by bar, then puts a plan into the sidebar. */
const grow: Story = (round) => {
  if (round === 0) {
    const props = { title: "Lines per week", data: bars.slice(0, 1) };
    const input = { component_id: "bars", name: "chart", surface: "chat", props };
    return { tool: "render_component", input };
  }
  const value = bars[round];
  if (value !== undefined) {
    const patches = [{ op: "add", path: "/data/-", value }];
    return { tool: "render_component", input: { component_id: "bars", patches } };
  }
  if (round > bars.length) return "Put the plan in the order that you like.";
  const props = { title: "The release", steps: steps.map((text) => ({ text })) };
  const input = { component_id: "plan", name: "plan_editor", surface: "sidebar", props };
  return { tool: "render_component", input };
};

/**
 * Takes the plan as the person has saved it: the message that the callback became names this story in the step that is
 * now the first. It shows the new order, asks for an approval, and continues with the answer.
 */
const approve: Story = (round, argument, lastResult) => {
  const order = [...`"text":"${argument}`.matchAll(/"text":"([^"]*)"/g)].map(
    ([, text = ""]) => text,
  );
  if (round === 0) {
    const value = order.map((text) => ({ text }));
    const patches = [{ op: "replace", path: "/steps", value }];
    return { tool: "render_component", input: { component_id: "plan", patches } };
  }
  if (round > 1) return `I continue with ${lastResult}`;
  const props = { action: `Run ${order.join(", ")}?`, options: ["approve", "reject"] };
  return { tool: "ask_user", input: { component_name: "approval", surface: "chat", props } };
};

function claudeScenario(story: Story): Scenario {
  return ({ round, argument, toolResults }) => {
    const move = story(round, argument, toolResults.at(-1) ?? "");
    return [
      typeof move === "string" ? say(move) : toolUse(`mcp__turnwire__${move.tool}`, move.input),
    ];
  };
}

function codexScenario(story: Story): CodexScenario {
  return ({ round, argument, toolOutputs }) => {
    const move = story(round, argument, toolOutputs.at(-1) ?? "");
    return [typeof move === "string" ? write(move) : call(move.tool, move.input, "turnwire")];
  };
}

/** Teaches both stand-ins `SCENARIO:grow`, and what follows from it. */
export function playStory({ anthropic, openai }: StandinAgents): void {
  for (const [name, story] of Object.entries({ grow, approve })) {
    anthropic.scenario(name, claudeScenario(story));
    openai.scenario(name, codexScenario(story));
  }
}
