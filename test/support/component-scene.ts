import * as anthropic from "@turnwire/conformance/anthropic-standin";
import * as openai from "@turnwire/conformance/openai-standin";
import type { JsonObject, UiTool } from "@turnwire/protocol";
import type { StandinAgents } from "./standin-agents.ts";

/**
 * A scene that both agents play with the UI tools. The agent grows a chart bar by bar in the chat
 * and opens a plan in the sidebar. What the person makes of the plan prompts it: it asks for an
 * approval, and with that takes over the person's order.
 */
export const scene = {
  title: "Tests per day",
  data: [12, 30, 44],
  labels: ["Mon", "Tue", "Wed"],
  plan: ["Write the changelog", "Publish the package", "Run the tests"],
  reordered: ["Run the tests", "Write the changelog", "Publish the package"],
  invitation: "Put the steps into your order.",
  end: "I begin with the tests.",
} as const;

/** Holds the agent before each bar but the first, and before the plan. */
export const sceneGates = ["bar 2", "bar 3", "plan"] as const;

export function sceneGate(name: string, gate: (typeof sceneGates)[number]): string {
  return `${name} ${gate}`;
}

/** The prompt that starts the scene; its gates carry the name. */
export function scenePrompt(name: string): string {
  return `SCENARIO:report ${name}`;
}

/** The id is part of the message that a callback makes: so the stand-in knows which play to continue. */
export function planId(name: string): string {
  return `SCENARIO:continue ${name}`;
}

const chartId = "tests-per-day";

type Act =
  | { readonly gate: string }
  | { readonly use: UiTool; readonly input: JsonObject }
  | { readonly say: string };

interface SceneCue {
  readonly name: string;
  readonly round: number;
  /** The result of the newest tool. */
  readonly result: string;
}

function report({ name, round }: SceneCue): readonly Act[] {
  const { title, data, labels } = scene;
  const bars = (count: number) => ({
    data: data.slice(0, count),
    labels: labels.slice(0, count),
  });
  const rounds: Act[][] = [
    [
      {
        use: "render_component",
        input: {
          component_id: chartId,
          name: "chart",
          surface: "chat",
          props: { title, ...bars(1) },
        },
      },
    ],
    [
      { gate: sceneGate(name, "bar 2") },
      {
        use: "render_component",
        input: {
          component_id: chartId,
          patches: [
            { op: "add", path: "/data/-", value: data[1] },
            { op: "add", path: "/labels/-", value: labels[1] },
          ],
        },
      },
    ],
    [
      { gate: sceneGate(name, "bar 3") },
      { use: "render_component", input: { component_id: chartId, merge: true, props: bars(3) } },
    ],
    [
      { gate: sceneGate(name, "plan") },
      {
        use: "render_component",
        input: {
          component_id: planId(name),
          name: "plan_editor",
          surface: "sidebar",
          props: { title: "Release", steps: stepsFrom(scene.plan) },
        },
      },
    ],
  ];
  return rounds[round] ?? [{ say: scene.invitation }];
}

function continueWithPlan({ name, round, result }: SceneCue): readonly Act[] {
  if (round === 0) {
    const details = "The package is published once the tests pass.";
    const props = { action: "Release version 2", details, options: ["approve", "reject"] };
    return [{ use: "ask_user", input: { component_name: "approval", surface: "chat", props } }];
  }
  if (round > 1) return [{ say: scene.end }];
  if (!result.includes("approve")) return [{ say: `I do not release: ${result}` }];
  const patches = [{ op: "replace", path: "/steps", value: stepsFrom(scene.reordered) }];
  return [{ use: "render_component", input: { component_id: planId(name), patches } }];
}

function stepsFrom(texts: readonly string[]): JsonObject[] {
  return texts.map((text) => ({ text }));
}

const plays = { report, continue: continueWithPlan };

export function teachScene({ anthropic: claude, openai: codex }: StandinAgents): void {
  for (const [mark, play] of Object.entries(plays)) {
    claude.scenario(mark, ({ argument, round, toolResults }) =>
      play({ name: nameIn(argument), round, result: toolResults.at(-1) ?? "" }).map(claudeBeat),
    );
    codex.scenario(mark, ({ argument, round, toolOutputs }) =>
      play({ name: nameIn(argument), round, result: toolOutputs.at(-1) ?? "" }).map(codexBeat),
    );
  }
}

/** The name begins what follows the mark; the message of a callback says more in that line. */
function nameIn(argument: string): string {
  return /^[\w-]+/.exec(argument)?.[0] ?? "";
}

function claudeBeat(act: Act): anthropic.Beat {
  if ("gate" in act) return anthropic.gate(act.gate);
  if ("say" in act) return anthropic.text(act.say);
  return anthropic.toolUse(`mcp__turnwire__${act.use}`, act.input);
}

function codexBeat(act: Act): openai.Beat {
  if ("gate" in act) return openai.gate(act.gate);
  if ("say" in act) return openai.text(act.say);
  return openai.call(act.use, act.input, "turnwire");
}
