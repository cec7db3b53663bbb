import type { ReviewTarget } from "@turnwire/protocol";
import type { Script } from "./stage/script.ts";
import type { DemoStage } from "./stage/stage.ts";

/** A review in the form of a real one, of nothing: the demo reads no files. */
export async function* playReview(stage: DemoStage, target: ReviewTarget): Script {
  yield* stage.say(`I reviewed ${named(target)}.\n\n`);
  yield* stage.say("- **[P1] Close the file** (src/read.ts:3): it stays open when the read fails.");
}

function named(target: ReviewTarget): string {
  switch (target.type) {
    case "uncommitted_changes":
      return "the uncommitted changes";
    case "base_branch":
      return `the changes against ${target.branch}`;
    case "commit":
      return `the commit ${target.commit}`;
    case "instructions":
      return target.text;
  }
}
