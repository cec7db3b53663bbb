import { defined } from "@turnwire/base";
import type { JsonObject } from "@turnwire/protocol";
import {
  attempts,
  type Beat,
  broken,
  call,
  cut,
  fail,
  failed,
  gate,
  incomplete,
  item,
  patch,
  rounds,
  type Scenario,
  summary,
  text,
  thought,
  whole,
} from "./script.ts";

const words = (count: number): string =>
  Array.from({ length: count }, (_, index) => `word${index + 1} `).join("");

/** Uses a tool, then says what came of it. */
function useTool(use: (argument: string) => Beat): Scenario {
  return ({ argument, round, toolOutputs }) =>
    round === 0 ? [use(argument)] : [text(`Result: ${summaryOf(toolOutputs)}`)];
}

/** The newest output without the head that Codex puts before what a command wrote. */
function summaryOf(toolOutputs: readonly string[]): string {
  const newest = toolOutputs.at(-1) ?? "";
  const output = newest.split("Output:\n").at(-1)?.trim() ?? "";
  return output.split("\n")[0]?.slice(0, 80) || "none";
}

const question = {
  questions: [
    {
      id: "database",
      header: "Database",
      question: "Which database?",
      options: [
        { label: "Postgres (Recommended)", description: "A server" },
        { label: "SQLite", description: "A file" },
      ],
    },
  ],
};

const plan = {
  explanation: "Two steps",
  plan: [
    { step: "one", status: "completed" },
    { step: "two", status: "in_progress" },
    { step: "three", status: "pending" },
  ],
};

/** The name before the first blank, and JSON after it. */
function nameAndInput(argument: string): { name: string; input: JsonObject } {
  const [, name = "", json = ""] = /^(\S+)\s*(.*)$/.exec(argument) ?? [];
  return { name, input: JSON.parse(json || "{}") };
}

function numberOf(argument: string, fallback: number): number {
  return Number.parseInt(argument, 10) || fallback;
}

/** Starts a sub-agent with the argument as its prompt, waits for it and says what it said. */
const agent: Scenario = ({ argument, round, toolOutputs }) => {
  if (round === 0) {
    const input = { task_name: "helper", message: argument, fork_turns: "none" };
    return [text("I ask an agent. "), call("spawn_agent", input, "collaboration")];
  }
  if (round === 1) return [call("wait_agent", { timeout_ms: 10_000 }, "collaboration")];
  return [text(`It is back: ${toolOutputs.at(-1) ?? ""}`)];
};

/** The scenarios that `SCENARIO:<name> <argument>` in a prompt starts. */
export const catalog: Readonly<Record<string, Scenario>> = {
  text: ({ argument }) => [text(argument || "Hello from the stand-in.")],
  long: ({ argument }) => [text(words(numberOf(argument, 200)))],
  whole: ({ argument }) => [whole(argument || "All at once.")],
  thinking: ({ argument }) => [
    summary("**Looking** at it. "),
    thought("Let me think about it."),
    text(argument || "Thought."),
  ],
  /** Says half, waits at the gate that the argument names, says the rest. */
  hold: ({ argument }) => [text("before the gate "), gate(argument), text("after the gate")],
  tool: useTool((cmd) => call("exec_command", { cmd })),
  /** Runs a command that needs to leave the sandbox: a person is asked. */
  escalate: useTool((cmd) =>
    call("exec_command", {
      cmd,
      sandbox_permissions: "require_escalated",
      justification: "It has to be done.",
    }),
  ),
  /** A command that is left running behind the turn. */
  background: useTool((cmd) => call("exec_command", { cmd, yield_time_ms: 250 })),
  write: useTool((path) => patch(`*** Add File: ${path}`, "+written")),
  question: useTool(() => call("request_user_input", question)),
  plan: useTool(() => call("update_plan", plan)),
  /** `<tool> <json>`: a tool that the client has brought. */
  dynamic: useTool((argument) => {
    const { name, input } = nameAndInput(argument);
    return call(name, input);
  }),
  /** `<server>/<tool> <json>` */
  mcp: useTool((argument) => {
    const { name, input } = nameAndInput(argument);
    const [server = "", tool = ""] = name.split("/");
    return call(tool, input, `mcp__${server}`);
  }),
  view: useTool((path) => call("view_image", { path })),
  search: ({ argument }) => [
    item({
      type: "web_search_call",
      status: "completed",
      action: { type: "search", query: argument },
    }),
    text("Found."),
  ],
  agent,
  /** `<status> <code> <seconds to wait>`, the last two as far as they are there. */
  error: ({ argument }) => {
    const [status = "", code, seconds] = argument.split(" ");
    const retryAfter = seconds === undefined ? undefined : Number(seconds);
    return [
      fail(numberOf(status, 500), {
        ...defined({ code, retryAfter }),
      }),
    ];
  },
  failed: ({ argument }) => [text("half "), failed(argument)],
  incomplete: () => [text("half "), incomplete()],
  /** Fails once, then answers. */
  flaky: (cue) => attempts([fail(numberOf(cue.argument, 500))], [text("At last.")])(cue),
  "cut-once": attempts([text("lost "), cut()], [text("whole")]),
  cut: () => [text("lost "), cut()],
  broken: () => [text("lost "), broken()],
  "two-messages": rounds(
    [text("First. ", "commentary"), call("exec_command", { cmd: "true" })],
    [text("Second.", "final_answer")],
  ),
};

/** The answer to a prompt that names no scenario. */
export const echo: Scenario = ({ argument }) => [text(`You said: ${argument}`)];
