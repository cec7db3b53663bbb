import { call, cut, gate, patch, rounds, text, whole } from "@turnwire/conformance/openai-standin";
import type { JsonObject } from "@turnwire/protocol";
import type { AnswerTo, Recording, RecordingOptions } from "./recording.ts";

interface Script {
  readonly options?: RecordingOptions;
  readonly play: (recording: Recording) => Promise<void>;
}

const turns =
  (...prompts: string[]) =>
  async (recording: Recording): Promise<void> => {
    for (const prompt of prompts) await recording.turn(prompt);
  };

const decide =
  (decision: string): AnswerTo =>
  () => ({ decision });

const untrusted = { approvalPolicy: "untrusted", sandbox: "workspace-write" };
const planMode = {
  collaborationMode: {
    mode: "plan",
    settings: { model: "gpt-5.5", reasoning_effort: null, developer_instructions: null },
  },
};

function isOf(method: string): (message: JsonObject) => boolean {
  return (message) => message["method"] === method;
}

/** Sends a prompt and acts when the stream has come to a gate and its first words are out. */
async function atGate(recording: Recording, prompt: string, act: () => unknown): Promise<void> {
  await recording.send(prompt);
  await recording.standin.reached("middle");
  await recording.until(isOf("item/agentMessage/delta"));
  await act();
  await recording.until(recording.endsTurn);
}

const files = rounds(
  [patch("*** Add File: a.txt", "+one"), text("")],
  [call("exec_command", { cmd: "cat a.txt" })],
  [call("exec_command", { cmd: "ls" }), call("exec_command", { cmd: "grep -n one a.txt" })],
  [patch("*** Update File: a.txt", "@@", "-one", "+two")],
  [text("Done.")],
);

/** A reviewer looks at a file and answers in the form that Codex asks reviewers for. */
const reviewed = rounds(
  [call("exec_command", { cmd: "touch reviewed.txt" })],
  [
    text(
      JSON.stringify({
        findings: [
          {
            title: "[P1] Close the file",
            body: "It stays open when the read fails.",
            confidence_score: 0.9,
            priority: 1,
            code_location: {
              absolute_file_path: "/project/a.ts",
              line_range: { start: 3, end: 4 },
            },
          },
        ],
        overall_correctness: "patch is incorrect",
        overall_explanation: "One problem.",
        overall_confidence_score: 0.8,
      }),
    ),
  ],
);

const mcpServer = (): string => {
  const path = new URL("./mcp-server.js", import.meta.url).pathname;
  return `[mcp_servers.lab]\ncommand = "${process.execPath}"\nargs = ["${path}"]`;
};

/** Every fixture with the conversation that it was recorded from. */
export const recordings: Readonly<Record<string, Script>> = {
  plain: { play: turns("hello", "again") },
  "rate-limits": {
    options: {
      standin: {
        headers: {
          "x-codex-primary-used-percent": "91",
          "x-codex-primary-window-minutes": "300",
          "x-codex-primary-reset-at": "4000000000",
          "x-codex-secondary-used-percent": "40",
          "x-codex-secondary-window-minutes": "10080",
          "x-codex-secondary-reset-at": "4000300000",
        },
      },
    },
    play: turns("hello", "again"),
  },
  whole: { play: turns("SCENARIO:whole") },
  thinking: { play: turns("SCENARIO:thinking Yes.") },
  "two-messages": { play: turns("SCENARIO:two-messages") },
  command: {
    play: turns("SCENARIO:tool echo hi", "SCENARIO:tool echo bad >&2; exit 3"),
  },
  "command-stream": {
    play: turns("SCENARIO:tool for i in 1 2 3; do echo line $i; sleep 0.3; done"),
  },
  files: { options: { standin: { scenarios: { files } } }, play: turns("SCENARIO:files") },
  "approve-command": {
    options: { thread: untrusted, onRequest: decide("accept") },
    play: turns("SCENARIO:tool touch a.txt"),
  },
  "approve-session": {
    options: { thread: untrusted, onRequest: decide("acceptForSession") },
    play: turns("SCENARIO:tool touch a.txt", "SCENARIO:tool touch a.txt"),
  },
  "decline-command": {
    options: { thread: untrusted, onRequest: decide("decline") },
    play: turns("SCENARIO:tool touch a.txt"),
  },
  "cancel-command": {
    options: { thread: untrusted, onRequest: decide("cancel") },
    play: turns("SCENARIO:tool touch a.txt", "hello"),
  },
  "approve-patch": {
    options: { thread: untrusted, onRequest: decide("accept") },
    play: turns("SCENARIO:write a.txt"),
  },
  "decline-patch": {
    options: { thread: untrusted, onRequest: decide("decline") },
    play: turns("SCENARIO:write a.txt"),
  },
  "cancel-patch": {
    options: { thread: untrusted, onRequest: decide("cancel") },
    play: turns("SCENARIO:write a.txt"),
  },
  question: {
    options: { onRequest: () => ({ answers: { database: { answers: ["SQLite"] } } }) },
    play: (recording) => recording.turn("SCENARIO:question", planMode),
  },
  "plan-mode": {
    options: {
      standin: {
        scenarios: {
          propose: () => [
            text("Here:\n<proposed_plan>\n# Plan\n- step one\n</proposed_plan>\nGood?"),
          ],
        },
      },
    },
    play: (recording) => recording.turn("SCENARIO:propose", planMode),
  },
  plan: { play: turns("SCENARIO:plan") },
  "interrupt-pending": {
    options: { thread: untrusted },
    play: async (recording) => {
      await recording.send("SCENARIO:tool touch a.txt");
      await recording.until(isOf("item/commandExecution/requestApproval"));
      await recording.interrupt();
      await recording.until(recording.endsTurn);
      await recording.until(isOf("serverRequest/resolved"));
    },
  },
  "interrupt-text": {
    play: async (recording) => {
      await atGate(recording, "SCENARIO:hold middle", () => recording.interrupt());
      await recording.turn("hello");
    },
  },
  "interrupt-command": {
    play: async (recording) => {
      await recording.send("SCENARIO:tool echo here; sleep 60");
      await recording.until(isOf("item/started"), recording.length);
      await recording.until((message) => JSON.stringify(message).includes('"commandExecution"'));
      await recording.interrupt();
      await recording.until(recording.endsTurn);
      await recording.call("thread/backgroundTerminals/clean");
      await recording.until(
        (message) =>
          message["method"] === "item/completed" &&
          JSON.stringify(message).includes('"commandExecution"'),
      );
      await recording.turn("hello");
    },
  },
  background: {
    play: async (recording) => {
      await recording.turn("SCENARIO:background echo begun; sleep 1.5; echo over");
      await recording.turn("hello");
      await recording.until(
        (message) =>
          message["method"] === "item/completed" &&
          JSON.stringify(message).includes('"commandExecution"'),
      );
    },
  },
  steer: {
    play: (recording) =>
      atGate(recording, "SCENARIO:hold middle", () => recording.steer("left, please")),
  },
  review: {
    options: { standin: { scenarios: { review: reviewed } } },
    play: async (recording) => {
      await recording.turn("hello");
      await recording.review("SCENARIO:review");
      await recording.turn("again");
    },
  },
  "cut-once": { play: turns("SCENARIO:cut-once") },
  cut: { play: turns("SCENARIO:cut", "hello") },
  "cut-in-tools": {
    options: {
      standin: {
        scenarios: {
          cuts: ({ round, attempt }) =>
            round === 0
              ? [text("I look. "), call("exec_command", { cmd: "echo hi" })]
              : attempt === 0
                ? [text("It says "), cut()]
                : [whole("It says hi.")],
        },
      },
    },
    play: turns("SCENARIO:cuts"),
  },
  "error-400": { play: turns("SCENARIO:error 400") },
  "error-401": { play: turns("SCENARIO:error 401") },
  "error-429": { play: turns("SCENARIO:error 429") },
  "error-quota": { play: turns("SCENARIO:error 429 usage_limit_reached") },
  "error-500": { play: turns("SCENARIO:error 500", "hello") },
  "error-overloaded": { play: turns("SCENARIO:error 503 server_is_overloaded") },
  "error-context": { play: turns("SCENARIO:failed context_length_exceeded") },
  "error-rate": { play: turns("SCENARIO:failed rate_limit_exceeded") },
  "error-incomplete": { play: turns("SCENARIO:incomplete") },
  compact: {
    play: async (recording) => {
      await recording.turn("hello");
      const from = recording.length;
      await recording.call("thread/compact/start");
      await recording.until(recording.endsTurn, from);
      await recording.turn("again");
    },
  },
  dynamic: {
    options: {
      thread: {
        dynamicTools: [
          {
            type: "function",
            name: "lookup",
            description: "Looks something up",
            inputSchema: { type: "object", properties: { id: { type: "string" } } },
          },
        ],
      },
      onRequest: () => ({
        contentItems: [{ type: "inputText", text: "It is open." }],
        success: true,
      }),
    },
    play: turns('SCENARIO:dynamic lookup {"id":"T-1"}'),
  },
  mcp: {
    options: {
      home: { settings: mcpServer() },
      thread: { approvalPolicy: "on-request", sandbox: "workspace-write" },
      onRequest: (request) =>
        JSON.stringify(request.params).includes("mcp_tool_call")
          ? { action: "accept", content: null, _meta: null }
          : { action: "accept", content: { colour: "red" }, _meta: null },
    },
    play: turns(
      'SCENARIO:mcp lab/echo {"text":"hi"}',
      "SCENARIO:mcp lab/change",
      "SCENARIO:mcp lab/pick",
    ),
  },
  "mcp-decline": {
    options: {
      home: { settings: mcpServer() },
      thread: { approvalPolicy: "on-request", sandbox: "workspace-write" },
      onRequest: () => ({ action: "decline", content: null, _meta: null }),
    },
    play: turns("SCENARIO:mcp lab/change"),
  },
  search: { play: turns("SCENARIO:search turnwire") },
  agent: {
    options: { home: { features: "multi_agent_v2 = true" } },
    play: turns("SCENARIO:agent SCENARIO:tool echo child"),
  },
  "agent-asks": {
    options: {
      home: { features: "multi_agent_v2 = true" },
      thread: untrusted,
      onRequest: decide("accept"),
    },
    play: turns("SCENARIO:agent SCENARIO:tool echo child"),
  },
  "agent-first": {
    options: {
      home: { model: "standin-model" },
      standin: {
        scenarios: {
          spawn: ({ round, toolOutputs }) => {
            if (round === 0) {
              const input = { message: "SCENARIO:tool echo child" };
              return [call("spawn_agent", input, "multi_agent_v1")];
            }
            const [spawned = "{}"] = toolOutputs;
            const { agent_id: id } = JSON.parse(spawned);
            if (round === 1) {
              return [call("wait_agent", { targets: [id], timeout_ms: 10_000 }, "multi_agent_v1")];
            }
            if (round === 2) return [call("close_agent", { target: id }, "multi_agent_v1")];
            return [text("It is back.")];
          },
        },
      },
    },
    play: turns("SCENARIO:spawn"),
  },
  "agent-behind": {
    options: {
      home: { features: "multi_agent_v2 = true" },
      standin: {
        scenarios: {
          leave: rounds(
            [
              call(
                "spawn_agent",
                { task_name: "helper", message: "SCENARIO:later", fork_turns: "none" },
                "collaboration",
              ),
            ],
            [text("It is on its way.")],
          ),
          later: () => [gate("child"), text("child result")],
        },
      },
    },
    play: async (recording) => {
      await recording.turn("SCENARIO:leave");
      const from = recording.length;
      recording.standin.release("child");
      await recording.until(isOf("turn/completed"), from);
      await recording.turn("hello");
    },
  },
};
