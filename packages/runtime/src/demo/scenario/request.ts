import type { JsonObject, JsonValue } from "@turnwire/protocol";
import { requestPermit } from "../stage/tool-permit.ts";
import { permissionFor } from "../stage/permission.ts";
import type { Scenario } from "./scenario.ts";
import type { Script } from "../stage/script.ts";
import { type DemoStage, refused } from "../stage/stage.ts";

export const permission: Scenario = {
  name: "permission",
  description: "Asks before it runs a command: allow, change or deny it",
  example: "/permission",
  async *play(stage) {
    const call = /\bedit\b/i.test(stage.text)
      ? {
          tool: "Edit",
          input: { file_path: "src/greet.ts", old_string: "Hello", new_string: "Hi" },
        }
      : { tool: "Bash", input: { command: "npm test", description: "Run the tests" } };
    yield* stage.say(`I would like to use ${call.tool}.\n\n`);
    const tool_use = yield* stage.beginTool(call);
    const permit = yield* requestPermit(stage, { toolUse: tool_use, ...call });
    if (!permit.isAllowed) return yield* giveUp(stage, tool_use, permit.reason);
    if (permit.decision) return yield* perform(stage, tool_use, permit.input);
    switch (permissionFor(stage.turn.memory, call.tool)) {
      case "allow":
        return yield* perform(stage, tool_use, call.input);
      case "plan_only":
        yield* stage.endTool(tool_use, { output: "Not while planning.", failed: true });
        return yield* stage.say("We are planning, so I only say what I would do.");
      case "ask":
        return yield* askThenPerform(stage, tool_use, call);
    }
  },
};

async function* askThenPerform(
  stage: DemoStage,
  tool_use: string,
  { tool, input }: { tool: string; input: JsonObject },
): Script {
  const answer = yield* stage.askPermission({
    tool,
    input,
    tool_use,
    reason: "Runs on your machine.",
    suggestions: [{ type: "addRules", rules: [{ toolName: tool }], behavior: "allow" }],
  });
  if (answer.behavior === "allow") {
    return yield* perform(stage, tool_use, answer.updated_input ?? input);
  }
  if (answer.interrupt) stage.turn.stop();
  yield* giveUp(stage, tool_use, answer.message ?? "A person said no.");
}

async function* giveUp(stage: DemoStage, toolUse: string, reason: string): Script {
  yield* stage.endTool(toolUse, refused(reason));
  yield* stage.say(`I did not do it: ${reason}`);
}

async function* perform(stage: DemoStage, toolUse: string, input: JsonValue): Script {
  yield* stage.endTool(toolUse, { prints: ["Working…\n", "Done.\n"], exitCode: 0 });
  yield* stage.say(
    `Done, with this input:\n\n\`\`\`json\n${JSON.stringify(input, null, 2)}\n\`\`\``,
  );
}

export const question: Scenario = {
  name: "question",
  description: "Asks two questions at once, one of them with several answers",
  example: "/question",
  async *play(stage) {
    yield* stage.say("Before I begin I need to know two things.\n\n");
    const { answers, notes } = yield* stage.askQuestions({
      questions: [
        {
          question: "Where shall the data live?",
          header: "Store",
          options: [
            { label: "SQLite", description: "One file and nothing to run" },
            { label: "Postgres", description: "For more than one host" },
          ],
        },
        {
          question: "Which pages do you want?",
          header: "Pages",
          multi_select: true,
          options: [
            { label: "Login", preview: "```\n[ name ]\n[ password ]\n( Sign in )\n```" },
            { label: "Search", preview: "```\n[ find…      ] ( Go )\n```" },
            { label: "Export", preview: "```\n( CSV )  ( JSON )\n```" },
          ],
        },
      ],
    });
    const lines = Object.entries(answers).map(([asked, given]) => {
      const note = notes?.[asked];
      return `- ${asked} **${[given].flat().join(", ")}**${note ? ` (${note})` : ""}`;
    });
    yield* stage.say(lines.length > 0 ? `So it is:\n\n${lines.join("\n")}` : "Then I will choose.");
  },
};

export const hook: Scenario = {
  name: "hook",
  description: "Lets a hook decide before a tool runs",
  example: "/hook",
  async *play(stage) {
    const input = { command: "rm -rf build" };
    const tool_use = yield* stage.beginPermitted({ tool: "Bash", input });
    const { decision } = yield* stage.askHook({
      event: "PreToolUse",
      input: { tool_name: "Bash", tool_input: input },
    });
    const isBlocked = decision.decision === "block" || decision.continue === false;
    const reason = typeof decision.reason === "string" ? decision.reason : "The hook blocked it.";
    yield* stage.endTool(
      tool_use,
      isBlocked ? { output: reason, failed: true } : { output: "", exitCode: 0 },
    );
    yield* stage.say(isBlocked ? `A hook stopped me: ${reason}` : "The hook let me pass.");
  },
};

export const frontendTool: Scenario = {
  name: "frontend-tool",
  description: "Calls a tool that only the user interface has",
  example: "/frontend-tool",
  async *play(stage) {
    yield* stage.say("I will ask your user interface for a colour.\n\n");
    const { output, is_error } = yield* stage.callFrontendTool({
      tool: "choose_color",
      input: { title: "Pick a colour", options: ["teal", "amber", "plum"] },
    });
    const shown = `\`${JSON.stringify(output)}\``;
    yield* stage.say(is_error ? `It could not: ${shown}` : `It answered ${shown}. Good choice.`);
  },
};
