import type { Scenario } from "./scenario.ts";
import { interleave, type Script } from "../stage/script.ts";
import type { DemoStage } from "../stage/stage.ts";

export const subagents: Scenario = {
  name: "subagents",
  description: "Two helpers work side by side, one of them has a helper too",
  example: "/subagents",
  async *play(stage) {
    yield* stage.say("I will share this out to two helpers.\n\n");
    const explorer = yield* spawn(stage, "explorer", "Find where sessions are kept");
    const reviewer = yield* spawn(stage, "reviewer", "Review the last change");
    yield* interleave([explore(stage, explorer), review(stage, reviewer)]);
    yield* stage.say("Both are back: sessions live in `src/store.ts`, and the change is fine.");
  },
};

function spawn(stage: DemoStage, name: string, prompt: string): Script<string> {
  const input = { description: prompt, prompt };
  return stage.beginPermitted({ tool: "Task", input, spawns: name });
}

async function* explore(parent: DemoStage, id: string): Script {
  const stage = parent.forSubagent(id);
  yield* stage.say("Looking for the store.\n\n");
  yield* stage.useTool(
    { tool: "Grep", input: { pattern: "class .*Store", path: "src" } },
    { output: "src/store.ts:14:export class Store {" },
  );
  yield* stage.say("It is in `src/store.ts`.");
  yield* stage.endMessage();
  yield* parent.endTool(id, { output: "Sessions live in src/store.ts." });
}

async function* review(parent: DemoStage, id: string): Script {
  const stage = parent.forSubagent(id);
  yield* stage.say("I have a tester check the change while I read it.\n\n");
  const tester = yield* spawn(stage, "tester", "Run the tests");
  const inner = stage.forSubagent(tester);
  yield* inner.useTool(
    { tool: "Bash", input: { command: "npm test" } },
    { prints: ["12 passed\n"], exitCode: 0 },
  );
  yield* stage.endTool(tester, { output: "All 12 tests pass." });
  yield* stage.useTool(
    { tool: "Edit", input: { file_path: "src/greet.ts", old_string: "  ", new_string: " " } },
    { output: "Removed a blank." },
  );
  yield* stage.say("Fine, apart from one blank.");
  yield* stage.endMessage();
  yield* parent.endTool(id, { output: "Fine." });
}
