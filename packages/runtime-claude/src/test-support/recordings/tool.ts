import { createSdkMcpServer, tool } from "@anthropic-ai/claude-agent-sdk";
import { text, thinking, toolUse } from "@turnwire/conformance/anthropic-standin";
import type { JsonObject } from "@turnwire/protocol";
import * as z from "zod";
import { type Scripts, turns } from "./script.ts";

/** Speech and tools. */
export const toolRecordings: Scripts = {
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
  edits: {
    options: {
      permissionMode: "acceptEdits",
      standin: {
        scenarios: {
          edits: ({ round }) =>
            [
              [toolUse("Write", { file_path: "b.txt", content: numbered })],
              [toolUse("Edit", { file_path: "b.txt", old_string: "line 10", new_string: "ten" })],
              [toolUse("Edit", { file_path: "b.txt", old_string: "absent", new_string: "x" })],
              [
                toolUse("Edit", {
                  file_path: "b.txt",
                  old_string: "line 1",
                  new_string: "row 1",
                  replace_all: true,
                }),
              ],
              [toolUse("Write", { file_path: "b.txt", content: "short\n" })],
            ][round] ?? [text("Done.")],
        },
      },
    },
    play: turns("SCENARIO:edits"),
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

const numbered = Array.from({ length: 14 }, (_, index) => `line ${index + 1}\n`).join("");
