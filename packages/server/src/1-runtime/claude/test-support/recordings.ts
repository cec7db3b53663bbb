import { createSdkMcpServer, tool } from "@anthropic-ai/claude-agent-sdk";
import { cut, gate, text, thinking, toolUse } from "@turnwire/conformance/anthropic-standin";
import type { JsonObject } from "@turnwire/protocol";
import * as z from "zod";
import { isIdle, isResult, type Recording, type RecordingOptions } from "./recording.ts";

interface Script {
  readonly options?: RecordingOptions;
  readonly play: (recording: Recording) => Promise<void>;
}

const turns =
  (...prompts: string[]) =>
  async (recording: Recording): Promise<void> => {
    for (const prompt of prompts) await recording.turn(prompt);
  };

const deny = async () => ({ behavior: "deny" as const, message: "not today" });
const never = () => new Promise<never>(() => undefined);

function isOf(type: string, subtype?: string) {
  return (message: JsonObject): boolean =>
    message["type"] === type && (subtype === undefined || message["subtype"] === subtype);
}

/** Sends a prompt and acts when the stream has come to a gate. */
async function atGate(recording: Recording, prompt: string, act: () => unknown): Promise<void> {
  recording.send(prompt);
  await recording.standin.reached("middle");
  await recording.until(isTextDelta);
  await act();
  await recording.until(isIdle);
}

function isTextDelta(message: JsonObject): boolean {
  return JSON.stringify(message).includes('"text_delta"');
}

/** Every fixture with the conversation that it was recorded from. */
export const recordings: Readonly<Record<string, Script>> = {
  plain: { play: turns("hello", "again") },
  thinking: { play: turns("SCENARIO:thinking Yes.") },
  tool: { play: turns("SCENARIO:tool echo hi", "SCENARIO:tool sh -c 'echo bad >&2; exit 3'") },
  "file-tools": {
    options: {
      permissionMode: "acceptEdits",
      standin: {
        scenarios: {
          files: ({ round }) =>
            [
              [toolUse("Write", { file_path: "a.txt", content: "one\n" })],
              [toolUse("Read", { file_path: "a.txt" })],
              [toolUse("Edit", { file_path: "a.txt", old_string: "one", new_string: "two" })],
            ][round] ?? [text("Done.")],
        },
      },
    },
    play: turns("SCENARIO:files"),
  },
  "two-tools": {
    options: {
      standin: {
        scenarios: {
          two: ({ round }) =>
            round === 0
              ? [
                  thinking("Two at once."),
                  text("Both. "),
                  toolUse("Bash", { command: "touch a.txt", description: "first" }),
                  toolUse("Bash", { command: "touch b.txt", description: "second" }),
                ]
              : [text("Both are there.")],
        },
      },
    },
    play: turns("SCENARIO:two"),
  },
  "permission-allow": { play: turns("SCENARIO:tool touch a.txt") },
  "permission-deny": { options: { onAsk: deny }, play: turns("SCENARIO:tool touch a.txt") },
  "permission-deny-interrupt": {
    options: { onAsk: async () => ({ ...(await deny()), interrupt: true }) },
    play: turns("SCENARIO:tool touch a.txt", "hello"),
  },
  "permission-denied-by-mode": {
    options: { permissionMode: "dontAsk" },
    play: turns("SCENARIO:tool touch a.txt"),
  },
  question: {
    options: {
      onAsk: async (_tool, input) => ({
        behavior: "allow",
        updatedInput: {
          ...input,
          answers: { "Which database?": "Postgres", "Which features?": "Auth, Search" },
        },
      }),
    },
    play: turns("SCENARIO:question"),
  },
  plan: { options: { permissionMode: "plan" }, play: turns("SCENARIO:plan 1. Do it well.") },
  todo: {
    options: {
      env: { CLAUDE_CODE_ENABLE_TODO_TOOLS: "1", CLAUDE_CODE_ENABLE_TASKS: "0" },
      standin: {
        scenarios: {
          todo: ({ round }) =>
            [
              [toolUse("TodoWrite", { todos: todos("in_progress", "pending") })],
              [toolUse("TodoWrite", { todos: todos("completed", "in_progress") })],
            ][round] ?? [text("Noted.")],
        },
      },
    },
    play: turns("SCENARIO:todo"),
  },
  "todo-tasks": {
    options: {
      env: { CLAUDE_CODE_ENABLE_TODO_TOOLS: "1" },
      standin: {
        scenarios: {
          tasks: ({ round }) =>
            [
              [toolUse("TaskCreate", { subject: "Dig", description: "a hole" })],
              [toolUse("TaskCreate", { subject: "Fill", description: "it again" })],
              [toolUse("TaskUpdate", { taskId: "1", status: "in_progress" })],
              [toolUse("TaskUpdate", { taskId: "1", status: "completed" })],
              [toolUse("TaskUpdate", { taskId: "2", status: "deleted" })],
            ][round] ?? [text("Dug.")],
        },
      },
    },
    play: turns("SCENARIO:tasks"),
  },
  "agent-foreground": {
    options: { sdk: { forwardSubagentText: true } },
    play: turns("SCENARIO:agent SCENARIO:tool touch sub.txt"),
  },
  "agent-background": { play: turns("SCENARIO:background-agent SCENARIO:tool touch sub.txt") },
  "agent-background-interrupted": {
    play: async (recording) => {
      recording.send("SCENARIO:background-agent SCENARIO:hold never");
      await recording.until(isResult);
      await recording.standin.reached("never");
      await recording.interrupt();
      await recording.until(isIdle);
    },
  },
  "agent-nested": {
    play: turns("SCENARIO:agent SCENARIO:agent SCENARIO:text deep down"),
  },
  "background-task": {
    options: {
      permissionMode: "acceptEdits",
      standin: {
        scenarios: {
          background: ({ round }) =>
            round === 0
              ? [
                  toolUse("Bash", {
                    command: "sleep 1",
                    description: "a nap",
                    run_in_background: true,
                  }),
                ]
              : [text(round === 1 ? "It sleeps." : "It woke up.")],
        },
      },
    },
    play: async (recording) => {
      await recording.turn("SCENARIO:background");
      const from = recording.length;
      await recording.until(isOf("system", "task_notification"));
      await recording.until(isIdle, from);
    },
  },
  "stop-task": {
    play: async (recording) => {
      recording.send("SCENARIO:background-agent SCENARIO:hold never");
      const { task_id: taskId } = await recording.until(isOf("system", "task_started"));
      await recording.until(isResult);
      await recording.standin.reached("never");
      await recording.query.stopTask(typeof taskId === "string" ? taskId : "");
      await recording.until(isIdle);
    },
  },
  "interrupt-text": {
    play: async (recording) => {
      await atGate(recording, "SCENARIO:hold middle", () => recording.interrupt());
      await recording.turn("hello");
    },
  },
  "interrupt-tool": {
    play: async (recording) => {
      recording.send('SCENARIO:tool node -e "setTimeout(() => {}, 20000)"');
      await recording.until(isOf("system", "task_started"));
      await recording.interrupt();
      await recording.until(isIdle);
    },
  },
  "interrupt-pending": {
    options: { onAsk: never },
    play: async (recording) => {
      recording.send("SCENARIO:tool touch a.txt");
      await recording.until(isOf("turnwire/ask"));
      await recording.interrupt();
      await recording.until(isIdle);
    },
  },
  "interrupt-thinking": {
    options: {
      standin: {
        scenarios: { ponder: () => [thinking("Hm. "), gate("pondering"), text("Never said.")] },
      },
    },
    play: async (recording) => {
      recording.send("SCENARIO:ponder");
      await recording.until((message) => JSON.stringify(message).includes("thinking_delta"));
      await recording.interrupt();
      await recording.until(isIdle);
    },
  },
  "steer-queued": {
    play: (recording) =>
      atGate(recording, "SCENARIO:hold middle", async () => {
        recording.steer("second");
        recording.steer("third");
        await recording.until(isQueued(3));
        recording.standin.release("middle");
      }),
  },
  "steer-folded": {
    play: async (recording) => {
      recording.send("SCENARIO:tool sleep 1");
      await recording.until(isOf("assistant"));
      recording.steer("mind the gap");
      await recording.until(isIdle);
    },
  },
  "steer-now": {
    play: (recording) =>
      atGate(recording, "SCENARIO:hold middle", () => recording.steer("stop", { priority: "now" })),
  },
  "retry-overloaded": { play: turns("SCENARIO:flaky 529") },
  "error-unauthorized": {
    options: { env: { CLAUDE_CODE_MAX_RETRIES: "0" } },
    play: turns("SCENARIO:error 401", "hello"),
  },
  "error-invalid": {
    options: { env: { CLAUDE_CODE_MAX_RETRIES: "0" } },
    play: turns("SCENARIO:error 400"),
  },
  "error-rate-limit": {
    options: { env: { CLAUDE_CODE_MAX_RETRIES: "1" } },
    play: turns("SCENARIO:error 429"),
  },
  "error-max-turns": {
    options: { sdk: { maxTurns: 1 } },
    play: turns("SCENARIO:tool echo hi"),
  },
  refusal: { play: turns("SCENARIO:refusal") },
  "max-tokens": { play: turns("SCENARIO:max-tokens") },
  "stream-cut-once": { play: turns("SCENARIO:cut-once") },
  "stream-cut-late": {
    options: {
      standin: {
        scenarios: {
          late: ({ attempt }) =>
            attempt === 0
              ? [text("This half "), gate("half"), cut()]
              : [text("And now the whole.")],
        },
      },
    },
    play: async (recording) => {
      recording.send("SCENARIO:late");
      await recording.until(isTextDelta);
      recording.standin.release("half");
      await recording.until(isIdle);
    },
  },
  "stream-cut": { options: { env: { CLAUDE_CODE_MAX_RETRIES: "1" } }, play: turns("SCENARIO:cut") },
  compact: {
    play: async (recording) => {
      await recording.turn("hello");
      const from = recording.length;
      recording.command("/compact");
      await recording.until(isIdle, from);
      await recording.turn("again");
    },
  },
  "slash-commands": { play: turns("/context", "/compact", "/clear", "hello") },
  "set-model-and-mode": {
    play: async (recording) => {
      await recording.turn("hello");
      await recording.query.setModel("claude-haiku-5-5");
      await recording.query.setPermissionMode("acceptEdits");
      await recording.turn("again");
    },
  },
  "prompt-suggestion": {
    options: {
      env: { CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: "1" },
      sdk: { promptSuggestions: true },
    },
    play: async (recording) => {
      await recording.turn("hello");
      await recording.turn("again");
      await recording.turn("once more");
      await recording.until(isOf("prompt_suggestion"));
    },
  },
  hooks: {
    options: {
      sdk: {
        includeHookEvents: true,
        settings: {
          hooks: {
            UserPromptSubmit: [{ hooks: [{ type: "command", command: "echo hooked" }] }],
            PostToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "exit 7" }] }],
          },
        },
      },
    },
    play: turns("SCENARIO:tool echo hi"),
  },
  "hook-block": {
    options: {
      sdk: {
        hooks: {
          UserPromptSubmit: [
            { hooks: [async () => ({ decision: "block" as const, reason: "not this one" })] },
          ],
        },
      },
    },
    play: turns("hello"),
  },
  mcp: {
    options: {
      sdk: {
        allowedTools: ["mcp__ui__*"],
        mcpServers: {
          ui: createSdkMcpServer({
            name: "ui",
            tools: [
              tool("show", "Shows a thing", { what: z.string() }, async ({ what }) => ({
                content: [{ type: "text", text: `shown: ${what}` }],
              })),
            ],
          }),
          missing: { command: "/nonexistent/server", args: [] },
        },
      },
      standin: {
        scenarios: {
          show: ({ round }) =>
            round === 0 ? [toolUse("mcp__ui__show", { what: "a chart" })] : [text("Shown.")],
        },
      },
    },
    play: turns("SCENARIO:show", "hello"),
  },
};

function todos(...states: readonly ("pending" | "in_progress" | "completed")[]): JsonObject[] {
  return states.map((status, index) => ({
    content: `Step ${index + 1}`,
    status,
    activeForm: `Doing step ${index + 1}`,
  }));
}

/** True of the message that says that so many inputs were queued. */
function isQueued(count: number): (message: JsonObject) => boolean {
  const queued = new Set<unknown>();
  return (message) => {
    if (message["type"] === "command_lifecycle" && message["state"] === "queued") {
      queued.add(message["command_uuid"]);
    }
    return queued.size >= count;
  };
}
