import type { JsonObject } from "@turnwire/protocol";
import type { Scenario } from "../scenario.ts";
import type { Script, Stage } from "../stage.ts";

const testRun: JsonObject = { command: "npm test", description: "Run the tests" };

export const permission: Scenario = {
  name: "permission",
  description: "Asks before it runs a command; allow, edit or deny it",
  example: "/permission",
  async *play(stage) {
    yield* stage.say("I would like to run the tests of this project.\n\n");
    const tool_use = yield* stage.beginTool({ tool: "Bash", input: testRun });
    if (stage.turn.memory.permissionMode === "bypassPermissions") {
      yield* runTests(stage, tool_use, testRun);
      return;
    }
    const answer = yield* stage.askPermission({ tool: "Bash", input: testRun, tool_use });
    if (answer.behavior === "allow") {
      yield* runTests(stage, tool_use, answer.updated_input ?? testRun);
      return;
    }
    const reason = answer.message ?? "A person denied it.";
    yield* stage.finishTool(tool_use, { output: reason, failed: true });
    if (answer.interrupt) stage.turn.stop();
    yield* stage.say(`You said no (${reason}), so I have run nothing.`);
  },
};

async function* runTests(stage: Stage, toolUse: string, input: unknown): Script {
  const command = commandFrom(input);
  yield* stage.finishTool(toolUse, { prints: [`$ ${command}\n`, "12 passed\n"], exitCode: 0 });
  yield* stage.say(`\`${command}\` has run: all 12 tests passed.`);
}

function commandFrom(input: unknown): string {
  const hasCommand = typeof input === "object" && input !== null && "command" in input;
  return hasCommand ? String(input.command) : JSON.stringify(input);
}

export const question: Scenario = {
  name: "question",
  description: "Asks two questions at once, one with several answers",
  example: "/question",
  async *play(stage) {
    yield* stage.say("Before I start I need to know two things.\n\n");
    const { answers } = yield* stage.askQuestions({
      questions: [
        {
          question: "Which database shall I use?",
          header: "Database",
          options: [
            { label: "SQLite", description: "One file, nothing to run" },
            { label: "Postgres", description: "For many hosts" },
          ],
        },
        {
          question: "Which features do you need?",
          header: "Features",
          multi_select: true,
          options: [{ label: "Search" }, { label: "Login" }, { label: "Export" }],
        },
      ],
    });
    const lines = Object.entries(answers).map(
      ([asked, given]) => `- ${asked} **${[given].flat().join(", ")}**`,
    );
    yield* stage.say(`Thank you. I have understood:\n\n${lines.join("\n")}`);
  },
};
