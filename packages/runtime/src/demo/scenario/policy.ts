import type { ToolPermit } from "../stage/tool-permit.ts";
import type { Scenario } from "./scenario.ts";

/** What the built-in modes allow, ask about and refuse. */
const uses = [
  {
    call: { tool: "Bash", input: { command: "git status --short" } },
    outcome: { prints: [" M src/greet.ts\n"], exitCode: 0 },
  },
  {
    call: { tool: "Bash", input: { command: "curl https://example.com/data.json" } },
    outcome: { prints: ['{ "greeting": "Hello" }\n'], exitCode: 0 },
  },
  {
    call: { tool: "Edit", input: { file_path: ".git/config", old_string: "a", new_string: "b" } },
    outcome: { output: "Changed 1 line." },
  },
  {
    call: { tool: "Bash", input: { command: "git push --force origin main" } },
    outcome: { prints: ["Everything up-to-date\n"], exitCode: 0 },
  },
] as const;

export const policy: Scenario = {
  name: "policy",
  description: "Tries things that a policy mode allows, asks about and refuses",
  example: "/policy",
  async *play(stage) {
    if (stage.turn.gate?.sandbox === undefined) {
      return yield* stage.say(
        "This session has no policy mode, so nothing but its permission mode decides. Choose the policy mode `planner` or `implementation` and ask me again.",
      );
    }
    yield* stage.say("I try four things, and say what became of each.\n\n");
    const lines: string[] = [];
    for (const { call, outcome } of uses) {
      const permit = yield* stage.tryTool(call, outcome);
      lines.push(`- \`${Object.values(call.input)[0]}\`: ${wordFor(permit)}`);
    }
    yield* stage.say(lines.join("\n"));
  },
};

function wordFor({ isAllowed, decision }: ToolPermit): string {
  const { verdict = "allow", rule = "none" } = decision ?? {};
  const asked = isAllowed ? "you allowed it" : "you refused it";
  const words = {
    allow: isAllowed ? "allowed" : "not while planning",
    ask: asked,
    deny: "refused by the policy",
  };
  return `${words[verdict]} (rule \`${rule}\`)`;
}
