import type { PlanStep } from "@turnwire/protocol";
import type { Scenario } from "./scenario.ts";
import { systemClock } from "@turnwire/base";
import { compaction } from "../stage/compaction.ts";
import { madeUpContext } from "../stage/context.ts";
import { startTask } from "../stage/task.ts";

const planned = ["Read the code", "Write a failing test", "Make it pass"];

export const plan: Scenario = {
  name: "plan",
  description: "A plan whose steps are done one after the other",
  example: "/plan",
  async *play(stage) {
    for (let done = 0; done <= planned.length; done += 1) {
      const steps = planned.map((text, index) => ({ text, status: statusOf(index, done) }));
      yield* stage.send({ type: "plan", steps, explanation: "Small steps, each one checked." }, 20);
    }
    yield* stage.say("All three steps are done.");
  },
};

function statusOf(index: number, done: number): PlanStep["status"] {
  if (index < done) return "completed";
  return index === done ? "in_progress" : "pending";
}

export const diff: Scenario = {
  name: "diff",
  description: "Edits a file and shows the difference",
  example: "/diff",
  async *play(stage) {
    yield* stage.useTool(
      {
        tool: "Edit",
        input: { file_path: "src/greet.ts", old_string: "name", new_string: "name.trim()" },
        isTyped: true,
      },
      { output: "Changed 1 line." },
    );
    const unified = `diff --git a/src/greet.ts b/src/greet.ts
--- a/src/greet.ts
+++ b/src/greet.ts
@@ -1,3 +1,3 @@
 export function greet(name: string) {
-  return \`Hello, \${name}!\`;
+  return \`Hello, \${name.trim()}!\`;
 }
`;
    yield* stage.send({ type: "diff", unified });
    yield* stage.say("`greet` trims the name now.");
  },
};

export const tasks: Scenario = {
  name: "tasks",
  description:
    "Starts a background task that outlives its turn; `/tasks forever` waits to be stopped",
  example: "/tasks",
  async *play(stage) {
    const input = { command: "npm run build", run_in_background: true };
    const toolUse = yield* stage.beginPermitted({ tool: "Bash", input });
    const ticks = /\bforever\b/i.test(stage.text) ? Number.POSITIVE_INFINITY : 200;
    const task = startTask(stage.turn, { toolUse, description: "npm run build", ticks });
    yield* stage.endTool(toolUse, { output: `Runs in the background as ${task}.` });
    yield* stage.say("The build runs in the background. You can continue, or stop it.");
  },
};

const hour = 60 * 60 * 1000;

export const usage: Scenario = {
  name: "usage",
  description: "Tokens, context and cost (made up: the demo costs nothing)",
  example: "/usage",
  async *play(stage) {
    yield* stage.say("These figures are made up, so that you see where real ones appear.");
    yield* stage.send({
      type: "usage",
      usage: {
        input_tokens: 1200,
        output_tokens: 340,
        cache_read_tokens: 8000,
        cache_write_tokens: 500,
        reasoning_tokens: 120,
        context_tokens: 10_160,
        context_window: 200_000,
      },
      cost: 0.0123,
    });
    yield* stage.send(madeUpContext);
    const resets_at = new Date(systemClock.now() + 2 * hour).toISOString();
    const account = { kind: "subscription", email: "demo@example.com", plan: "demo" } as const;
    yield* stage.send({ type: "account", account });
    yield* stage.send({
      type: "rate_limits",
      limits: [
        { limit_id: "5h", label: "5-hour limit", status: "warning", used_percent: 91 },
        { limit_id: "7d", label: "7-day limit", status: "allowed", used_percent: 40, resets_at },
      ],
    });
  },
};

const stepTokens = 1000;

export const budget: Scenario = {
  name: "budget",
  description:
    "Works in ten steps of 1,000 made-up tokens each, so that a budget of a few thousand is reached",
  example: "/budget",
  async *play(stage) {
    for (let step = 1; step <= 10; step += 1) {
      yield* stage.say(`Step ${step} of 10. `);
      yield* stage.send({ type: "progress", tokens: step * stepTokens, cost: step / 100 }, 10);
    }
    yield* stage.say("All ten steps are done.");
  },
};

export const mcp: Scenario = {
  name: "mcp",
  description: "Two MCP servers start; one of them fails",
  example: "/mcp",
  async *play(stage) {
    yield* stage.send({ type: "mcp", server: "files", status: "connecting" });
    yield* stage.send({ type: "mcp", server: "tickets", status: "connecting" });
    yield* stage.send({ type: "mcp", server: "files", status: "connected" }, 10);
    yield* stage.send({ type: "mcp", server: "tickets", status: "failed" }, 10);
    yield* stage.send({
      type: "notice",
      level: "warning",
      text: "The MCP server “tickets” did not answer. Its tools are missing.",
    });
    yield* stage.say("I will continue with `files` alone.");
  },
};

export const compact: Scenario = {
  name: "compact",
  description: "Makes the conversation shorter",
  example: "/compact",
  async *play(stage) {
    yield* stage.send(compaction(stage.turn.memory));
    yield* stage.say("I have summed up what we said so far.");
  },
};
