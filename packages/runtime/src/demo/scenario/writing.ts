import { setImmediate as nextLoop } from "node:timers/promises";
import { ticksPerLoop } from "../stage/pace.ts";
import type { Scenario } from "./scenario.ts";

const showcase = `# What markdown can do

A paragraph with **bold**, *italic*, \`code\` and [a link](https://example.com).

## A list

1. First, look around.
2. Then change one thing.
   - with a nested point
3. At last, run the tests.

## Some code

\`\`\`ts
export function greet(name: string): string {
  return \`Hello, \${name}!\`;
}
\`\`\`

## A table

| File | Lines | Changed |
|---|---:|:---:|
| src/greet.ts | 12 | yes |
| src/main.ts | 48 | no |

> A quote, to end with. All of this arrived word by word.
`;

export const markdown: Scenario = {
  name: "markdown",
  description: "Headings, lists, code, a table and a quote",
  example: "/markdown",
  play: (stage) => stage.say(showcase),
};

export const thinking: Scenario = {
  name: "thinking",
  description: "Thinks before it answers",
  example: "/thinking",
  async *play(stage) {
    yield* stage.think(
      "The question is why the build fails. The error names a missing module, so either the install is incomplete or the import is wrong. The lock file is newer than node_modules.",
    );
    yield* stage.say("The dependencies are older than the lock file: run `npm install` once.");
  },
};

export const long: Scenario = {
  name: "long",
  description: "An answer of as many paragraphs as you say",
  example: "/long 30",
  play: (stage) => stage.say(paragraphs(stage.amount({ usual: 12, most: 5000 }))),
};

export const slow: Scenario = {
  name: "slow",
  description: "A long, slow answer to stop or to steer",
  example: "/slow",
  async *play(stage) {
    for (let index = 1; index <= 40; index += 1) {
      await stage.turn.pause(20);
      yield* stage.say(`${index}. Still at it. Stop me, or tell me something.\n\n`);
    }
  },
};

export const flood: Scenario = {
  name: "flood",
  description: "As many deltas as you say, as fast as they are read",
  example: "/flood 10000",
  async *play(stage) {
    const count = stage.amount({ usual: 5000, most: 1_000_000 });
    for (let index = 1; index <= count; index += 1) {
      // Hurries on, but lets the rest of the process live.
      if (index % ticksPerLoop === 0) await nextLoop();
      yield stage.utter(`${index} `);
    }
  },
};

function paragraphs(count: number): string {
  const texts = Array.from(
    { length: count },
    (_, index) =>
      `Paragraph ${index + 1} of ${count}. A long answer arrives word by word: you can read along, scroll back, or stop it at any moment, and what has been said stays.`,
  );
  return texts.join("\n\n");
}
