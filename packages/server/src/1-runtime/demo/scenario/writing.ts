import type { Scenario } from "../scenario.ts";

/** Something to say that takes long enough to be stopped. */
function paragraphs(count: number): string {
  const lines = Array.from(
    { length: count },
    (_, index) =>
      `Paragraph ${index + 1} of ${count}. A long answer arrives word by word; you can read along, scroll, or stop it at any moment, and what has been said stays.`,
  );
  return lines.join("\n\n");
}

export const slow: Scenario = {
  name: "slow",
  description: "A long answer to stop or to steer",
  example: "/slow",
  play: (stage) => stage.say(paragraphs(stage.amount({ usual: 20, most: 1000 }))),
};
