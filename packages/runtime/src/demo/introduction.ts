import type { ContentBlock } from "@turnwire/protocol";
import { demoScenarios } from "./scenario/catalog.ts";
import type { Memory } from "./stage/memory.ts";
import type { Script } from "./stage/script.ts";
import type { DemoStage } from "./stage/stage.ts";

const firstThings = new Set([
  "markdown",
  "tools",
  "permission",
  "question",
  "subagents",
  "components",
]);

/** The answer to anything that names no scenario: says what was heard, and what to try. */
export async function* introduce(stage: DemoStage): Script {
  const { input, memory } = stage.turn;
  yield* stage.say(`${heard(stage.text, input.content)} ${remembered(memory)}\n\n`);
  yield* stage.say(
    "I am the demo agent: scripted, free, and I touch nothing. Try one of these:\n\n",
  );
  const lines = demoScenarios
    .filter(({ name }) => firstThings.has(name))
    .map(({ example, description }) => `- \`${example}\` ${description}`);
  const others = demoScenarios.filter(({ name }) => !firstThings.has(name));
  const rest = others.map(({ name }) => `\`/${name}\``).join(", ");
  yield* stage.say(`${lines.join("\n")}\n\nAnd there is more: ${rest}.`);
}

function heard(text: string, content: readonly ContentBlock[]): string {
  const start = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  const attached = content.filter((block) => block.type !== "text").length;
  const things = attached === 0 ? "" : ` and ${attached} attachment${attached === 1 ? "" : "s"}`;
  return start === "" ? `I got${things.slice(4)}.` : `I heard “${start}”${things}.`;
}

function remembered({ turns, isResumed }: Memory): string {
  if (turns > 0) return `I remember ${turns} earlier turn${turns === 1 ? "" : "s"} of ours.`;
  return isResumed
    ? "You woke me up, and I keep nothing on disk: I do not remember what came before."
    : "Nice to meet you.";
}
