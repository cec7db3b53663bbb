import type { Scenario } from "./scenario.ts";

export const tools: Scenario = {
  name: "tools",
  description: "Runs commands with streamed output and exit codes",
  example: "/tools",
  async *play(stage) {
    yield* stage.say("Let me see whether the tests pass.\n\n");
    yield* stage.useTool(
      { tool: "Bash", input: { command: "npm test" }, isTyped: true },
      {
        prints: ["> test\n", "✓ greet says hello\n", "✗ greet trims the name\n", "1 of 2 failed\n"],
        failed: true,
        exitCode: 1,
      },
    );
    yield* stage.say("One fails. I know why; once more:\n\n");
    yield* stage.useTool(
      { tool: "Bash", input: { command: "npm test" } },
      { prints: ["> test\n", "✓ greet says hello\n", "✓ greet trims the name\n"], exitCode: 0 },
    );
    yield* stage.say("Both tests pass now.");
  },
};

export const read: Scenario = {
  name: "read",
  description: "Looks through files: Glob, Grep and Read",
  example: "/read",
  async *play(stage) {
    yield* stage.say("I will look where greetings are made.\n\n");
    yield* stage.useTool(
      { tool: "Glob", input: { pattern: "src/**/*.ts" } },
      { output: "src/greet.ts\nsrc/main.ts" },
    );
    yield* stage.useTool(
      { tool: "Grep", input: { pattern: "Hello", path: "src" } },
      { output: "src/greet.ts:2:  return `Hello, ${name}!`;" },
    );
    yield* stage.useTool(
      { tool: "Read", input: { file_path: "src/greet.ts" } },
      { output: "export function greet(name: string) {\n  return `Hello, ${name}!`;\n}\n" },
    );
    yield* stage.say("It is the second line of `src/greet.ts`.");
  },
};

export const toolError: Scenario = {
  name: "tool-error",
  description: "A tool fails and the agent continues",
  example: "/tool-error",
  async *play(stage) {
    yield* stage.useTool(
      { tool: "Read", input: { file_path: "docs/missing.md" } },
      { output: "ENOENT: no such file, open 'docs/missing.md'", failed: true },
    );
    yield* stage.say("That file does not exist. Tell me another, and I will read it.");
  },
};

export const huge: Scenario = {
  name: "huge",
  description: "A tool result of as many megabytes as you say, in one event",
  example: "/huge 5",
  async *play(stage) {
    const megabytes = stage.amount({ usual: 1, most: 50 });
    const line = "This line is here to be one of very many lines in a very big file.\n";
    const output = line.repeat(Math.ceil((megabytes * 1024 * 1024) / line.length));
    yield* stage.useTool({ tool: "Bash", input: { command: "cat big.log" } }, { output });
    yield* stage.say(`That was ${megabytes} MB. Nobody reads that.`);
  },
};
