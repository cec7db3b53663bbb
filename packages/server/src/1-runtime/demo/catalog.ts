import type { Scenario } from "./scenario.ts";
import { crash } from "./scenario/failure.ts";
import { permission, question } from "./scenario/request.ts";
import { slow } from "./scenario/writing.ts";
import type { Script, Stage } from "./stage.ts";

const scenarios: readonly Scenario[] = [permission, question, slow, crash];

/** What the demo can show, for help texts, menus and tests. */
export const demoScenarios: readonly Omit<Scenario, "play">[] = scenarios.map(
  ({ name, description, example }) => ({ name, description, example }),
);

/** The script for a message: the scenario its first word names, or a friendly answer. */
export function scriptFor(stage: Stage): Script {
  const name = /^\/?([a-z-]+)/i.exec(stage.text)?.[1]?.toLowerCase();
  const scenario = scenarios.find((candidate) => candidate.name === name);
  return scenario ? scenario.play(stage) : introduce(stage);
}

async function* introduce(stage: Stage): Script {
  const heard = stage.text.length > 200 ? `${stage.text.slice(0, 200)}…` : stage.text;
  yield* stage.say(`You said: “${heard}”.\n\n`);
  yield* stage.say("I am the demo agent. I need no key and I touch nothing. Try one of these:\n\n");
  yield* stage.say(
    scenarios.map(({ example, description }) => `- \`${example}\` ${description}`).join("\n"),
  );
}
