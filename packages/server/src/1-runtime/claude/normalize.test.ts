import {
  checkGrammar,
  type EventDraft,
  eventData,
  type JsonObject,
  noCapabilities,
} from "@turnwire/protocol";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { claudeNormalizer } from "./normalize.ts";
import { fixtureNames, readFixture, Replay } from "./test-support/replay.ts";
import {
  ask,
  assistant,
  init,
  result,
  settled,
  spawn,
  state,
  stream,
  taskEnded,
  taskStarted,
  toolResult,
  turnSent,
} from "./test-support/spoken.ts";

/** What the messages became, the first turn being under way. */
function events(...messages: unknown[]): readonly EventDraft[] {
  return Replay.of([turnSent("t1", "u1"), state("running"), ...messages]).drafts;
}

function typesOf(drafts: readonly EventDraft[]): string[] {
  return drafts.map(({ type }) => type);
}

function ofType<Type extends EventDraft["type"]>(drafts: readonly EventDraft[], type: Type) {
  return drafts.filter(
    (event): event is Extract<EventDraft, { type: Type }> => event.type === type,
  );
}

const text = (words: string) => ({ type: "text", text: words });
const tool = (id: string, name: string, input: object = {}) => ({
  type: "tool_use",
  id,
  name,
  input,
});

describe("what Claude says", () => {
  const streamed = [
    stream({ type: "message_start", message: { id: "m1", model: "opus" } }),
    stream({ type: "content_block_start", index: 0, content_block: text("") }),
    stream({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hel" } }),
  ];

  test("is not said again by the whole block, but completed", () => {
    const drafts = events(
      ...streamed,
      assistant("m1", [text("Hello")]),
      stream({ type: "message_stop" }),
    );
    expect(ofType(drafts, "delta").map(({ data }) => data.text)).toEqual(["Hel", "lo"]);
    expect(ofType(drafts, "message_complete")[0]?.data.message.content).toEqual([text("Hello")]);
  });

  test("goes out at once where nothing was streamed", () => {
    const drafts = events(assistant("m1", [text("Hello")]));
    expect(drafts).toEqual([{ type: "delta", data: { message_id: "m1", text: "Hello" } }]);
  });

  test("is complete when the next message begins, with all its blocks", () => {
    const drafts = events(
      assistant("m1", [text("One. ")]),
      assistant("m1", [text("Two.")]),
      assistant("m2", [text("Three.")]),
    );
    const [complete] = ofType(drafts, "message_complete");
    expect(complete?.data.message_id).toBe("m1");
    expect(complete?.data.message.content).toEqual([text("One. "), text("Two.")]);
  });

  test("is complete once, whatever comes late under its id", () => {
    const stop = stream({ type: "message_stop" });
    const drafts = events(...streamed, stop, assistant("m1", [text("Hello")]), stop);
    expect(typesOf(drafts)).toEqual(["delta", "message_complete"]);
  });

  test("keeps a block that was streamed but never came whole", () => {
    const next = stream({ type: "message_start", message: { id: "m2" } });
    const [complete] = ofType(events(...streamed, next), "message_complete");
    expect(complete?.data.message).toMatchObject({ model: "opus", content: [text("Hel")] });
  });

  test("keeps blocks that only the provider understands, and no signatures", () => {
    const search = { type: "server_tool_use", id: "s1", name: "web_search", input: {} };
    const thought = { type: "thinking", thinking: "Hm.", signature: "long" };
    const drafts = events(assistant("m1", [thought, search]), assistant("m2", []));
    expect(ofType(drafts, "thinking").map(({ data }) => data)).toEqual([
      { message_id: "m1", text: "Hm.", done: true },
    ]);
    expect(ofType(drafts, "message_complete")[0]?.data.message.content).toEqual([
      { type: "thinking", thinking: "Hm." },
      search,
    ]);
  });

  test("is no thought when it has no words", () => {
    expect(events(assistant("m1", [{ type: "thinking", thinking: "", signature: "x" }]))).toEqual(
      [],
    );
  });

  test("is an error when the API failed, and no message", () => {
    const failed = {
      ...assistant("x", [text("API Error: 529")], "<synthetic>"),
      error: "overloaded",
    };
    expect(events(failed)).toEqual([
      { type: "error", data: { code: "overloaded", message: "API Error: 529", retryable: true } },
    ]);
  });

  test("is kept as it is when a command that is no turn was answered", () => {
    const { drafts } = Replay.of([assistant("x", [text("Nothing to compact.")], "<synthetic>")]);
    expect(typesOf(drafts)).toEqual(["native"]);
  });
});

describe("a tool", () => {
  test.each([
    ["Bash", { command: "ls" }, { command: "ls" }],
    ["Read", { file_path: "a.ts" }, { file_path: "a.ts", is_file_read: true }],
    ["Edit", { file_path: "a.ts" }, { file_path: "a.ts" }],
    ["NotebookEdit", { notebook_path: "a.ipynb" }, { file_path: "a.ipynb" }],
    [
      "Grep",
      { pattern: "x", path: "src" },
      { pattern: "x", search_path: "src", is_file_read: true },
    ],
    ["Bash", { command: 7 }, {}],
    ["mcp__x__y", {}, {}],
  ])("%s with %j shows what it works on", (name, input, facts) => {
    const [start] = ofType(events(assistant("m1", [tool("c1", name, input)])), "tool_start");
    expect(start?.data).toEqual({
      message_id: "m1",
      tool_use_id: "c1",
      tool: name,
      input,
      ...facts,
    });
  });

  test("starts once, however often it is announced", () => {
    const use = assistant("m1", [tool("c1", "Bash")]);
    expect(ofType(events(use, use), "tool_start")).toHaveLength(1);
  });

  test.each([
    [{ content: "ok", details: { stdout: "ok" } }, 0],
    [{ content: "Exit code 3\nbad", isError: true }, 3],
    [{ content: "Denied", isError: true }, undefined],
    [{ content: "Running", details: { stdout: "", backgroundTaskId: "b1" } }, undefined],
  ])("that answers %j has exit code %s", (answer, code) => {
    const drafts = events(assistant("m1", [tool("c1", "Bash")]), toolResult("c1", answer));
    expect(ofType(drafts, "tool_result")[0]?.data.exit_code).toBe(code);
  });

  test("took the time between its messages, unless a person was asked", () => {
    const use = assistant("m1", [tool("c1", "Bash")]);
    const answer = toolResult("c1", { timestamp: "2026-11-15T00:00:02.500Z" });
    const [quick] = ofType(events(use, answer), "tool_result");
    expect(quick?.data.duration_ms).toBe(2500);
    const [asked] = ofType(
      events(use, ask("r1", "Bash", { toolUseId: "c1" }), answer),
      "tool_result",
    );
    expect(asked?.data).not.toHaveProperty("duration_ms");
  });

  test("that nobody has announced leaves its result as it is", () => {
    const drafts = events(toolResult("c9", {}));
    expect(typesOf(drafts)).toEqual(["native"]);
  });

  test("that is left open ends with the turn, as an error", () => {
    const drafts = events(
      assistant("m1", [tool("c1", "Bash")]),
      result("u1"),
      settled("u1"),
      state("idle"),
    );
    expect(typesOf(drafts).slice(-5)).toEqual([
      "tool_result",
      "message_complete",
      "result",
      "usage",
      "done",
    ]);
    expect(ofType(drafts, "tool_result")[0]?.data.is_error).toBe(true);
  });
});

describe("a sub-agent", () => {
  test("whose spawn nobody saw is announced before it speaks", () => {
    const said = {
      ...assistant("m2", [text("sub")]),
      parent_tool_use_id: "a1",
      subagent_type: "Plan",
    };
    const drafts = events(said);
    expect(typesOf(drafts)).toEqual(["tool_start", "delta"]);
    expect(drafts[0]?.data).toMatchObject({ subagent_spawn: true, subagent_name: "Plan" });
    expect(drafts[1]).toMatchObject({ subagent_id: "a1" });
  });

  test.each(["Agent", "Task"])("is spawned by %s", (name) => {
    const [start] = ofType(events(spawn("a1", name)), "tool_start");
    expect(start?.data).toMatchObject({ subagent_spawn: true, subagent_name: "Explore" });
  });

  test("in the background answers when it is over, not when it is on its way", () => {
    const launched = toolResult("a1", { details: { status: "async_launched" } });
    const before = events(spawn("a1"), taskStarted("k1", "a1"), launched);
    expect(ofType(before, "tool_result")).toEqual([]);
    const after = events(
      spawn("a1"),
      taskStarted("k1", "a1"),
      launched,
      taskEnded("k1", "completed"),
    );
    expect(ofType(after, "tool_result").map(({ data }) => data.output)).toEqual(["the report"]);
  });

  test("that failed in the background is an error", () => {
    const launched = toolResult("a1", { details: { status: "async_launched" } });
    const drafts = events(
      spawn("a1"),
      taskStarted("k1", "a1"),
      launched,
      taskEnded("k1", "failed"),
    );
    expect(ofType(drafts, "tool_result")[0]?.data).toMatchObject({ is_error: true });
  });

  test("asks in its own place", () => {
    const drafts = events(
      spawn("a1"),
      taskStarted("k1", "a1"),
      ask("r1", "Bash", { agentId: "k1" }),
    );
    expect(drafts.at(-1)).toMatchObject({ type: "permission_request", subagent_id: "a1" });
  });

  test("that ends closes its message and its tools first", () => {
    const inner = { ...assistant("m2", [tool("c1", "Bash")]), parent_tool_use_id: "a1" };
    const drafts = events(spawn("a1"), inner, toolResult("a1", { content: "done" }));
    expect(typesOf(drafts).slice(-3)).toEqual(["message_complete", "tool_result", "tool_result"]);
    expect(drafts.at(-2)).toMatchObject({ subagent_id: "a1", data: { is_error: true } });
  });
});

describe("a task", () => {
  test("stays under the turn that started it", () => {
    const { drafts } = Replay.of([
      turnSent("t1", "u1"),
      taskStarted("k1", "c1", "local_bash"),
      result("u1"),
      turnSent("t2", "u2"),
      taskEnded("k1", "completed"),
    ]);
    expect(ofType(drafts, "task").map(({ turn_id }) => turn_id)).toEqual(["t1", "t1"]);
  });

  test("of the CLI itself is nobody's business", () => {
    expect(events({ ...taskStarted("k1", "c1"), ambient: true })).toEqual([]);
  });

  test("stops when the agent is gone, or started anew", () => {
    const started = taskStarted("k1", "c1");
    const [after] = claudeNormalizer.step(claudeNormalizer.initial(), started);
    expect(claudeNormalizer.end(after, { type: "closed" })).toMatchObject([
      { type: "task", data: { task_id: "k1", status: "stopped" } },
    ]);
    const moved = { type: "turnwire/session_moved", provider_session_id: "s2" };
    expect(events(started, moved).slice(1)).toMatchObject([
      { type: "session_updated", data: { provider_session_id: "s2" } },
      { type: "task", data: { status: "stopped" } },
    ]);
  });
});

describe("a turn", () => {
  test("is not over with a result: what a person said meanwhile follows", () => {
    const steer = { type: "turnwire/steer_sent", uuid: "u2" };
    const drafts = events(steer, result("u1"), settled("u1"), state("idle"), state("running"));
    expect(typesOf(drafts)).not.toContain("done");
    const all = events(
      steer,
      result("u1"),
      settled("u1"),
      result("u2"),
      settled("u2"),
      state("idle"),
    );
    expect(ofType(all, "result")).toHaveLength(1);
    expect(typesOf(all).at(-1)).toBe("done");
  });

  test("is not ended by the idleness that came before it", () => {
    expect(typesOf(events(state("idle")))).toEqual([]);
  });

  test("sums up what its results cost", () => {
    const drafts = events(result("u1", 0.5), result("u1", 0.75), settled("u1"), state("idle"));
    expect(ofType(drafts, "result")[0]?.data).toMatchObject({ total_cost_usd: 0.75 });
    expect(ofType(drafts, "usage")[0]?.data).toMatchObject({ total_cost_usd: 0.75 });
  });

  test("ends with its result where the CLI does not tell that it is idle", () => {
    const { drafts } = Replay.of([turnSent("t1", "u1"), result("u1")]);
    expect(typesOf(drafts)).toEqual(["result", "usage", "done"]);
  });

  test("waits for agents in the background also there", () => {
    const launched = toolResult("a1", { details: { status: "async_launched" } });
    const begun = [turnSent("t1", "u1"), spawn("a1"), taskStarted("k1", "a1"), launched];
    expect(typesOf(Replay.of([...begun, result("u1")]).drafts)).not.toContain("done");
    const over = [...begun, result("u1"), taskEnded("k1", "completed"), result()];
    expect(typesOf(Replay.of(over).drafts).at(-1)).toBe("done");
  });

  test("that a person stopped is no error, whatever the CLI calls it", () => {
    const aborted = {
      ...result("u1"),
      subtype: "error_during_execution",
      is_error: true,
      terminal_reason: "aborted_tools",
      errors: ["[diagnostic]"],
    };
    const drafts = events(aborted, settled("u1"), state("idle"));
    expect(typesOf(drafts)).toEqual(["result", "usage", "done"]);
    expect(drafts[0]?.data).toMatchObject({ subtype: "interrupted", is_error: false });
    expect(drafts[2]?.data).toEqual({ turn_id: "t1", stopped: true });
  });

  test("that ended by itself before it could be stopped was not stopped", () => {
    const interrupt = { type: "turnwire/interrupt_sent" };
    const drafts = events(interrupt, result("u1"), settled("u1"), state("idle"));
    expect(ofType(drafts, "done")[0]?.data).toEqual({ turn_id: "t1" });
  });

  test("that ended without a result says so", () => {
    const drafts = events(settled("u1"), state("idle"));
    expect(ofType(drafts, "result")[0]?.data).toMatchObject({
      subtype: "no_result",
      is_error: true,
    });
  });

  test("that failed tells why", () => {
    const failed = {
      ...result("u1"),
      subtype: "error_max_turns",
      is_error: true,
      errors: ["Too many"],
    };
    expect(events(failed)).toMatchObject([
      { type: "error", data: { code: "error_max_turns", message: "Too many", retryable: false } },
    ]);
  });

  test("begins by itself when the agent speaks without having been asked", () => {
    const { drafts, log } = Replay.of([
      state("running"),
      stream({ type: "message_start", message: { id: "m1" } }),
      assistant("m1", [text("It woke up.")]),
      result(),
      state("idle"),
    ]);
    expect(typesOf(drafts)).toEqual([
      "turn_started",
      "delta",
      "message_complete",
      "result",
      "usage",
      "done",
    ]);
    expect(checkGrammar(log)).toEqual([]);
  });

  test("of nobody has no result", () => {
    expect(Replay.of([result(), state("idle")]).drafts).toEqual([]);
  });
});

describe("a request", () => {
  test("for permission carries what the SDK knows, in the protocol's spelling", () => {
    const message = {
      ...ask("r1", "Bash", { toolUseId: "c1" }),
      input: { command: "rm x" },
      suggestions: [{ type: "setMode", mode: "acceptEdits" }],
      context: { displayName: "Bash", blockedPath: "/x", mcpServer: { name: "ui" } },
    };
    expect(events(message)).toEqual([
      {
        type: "permission_request",
        data: {
          correlation_id: "r1",
          tool_use_id: "c1",
          tool_name: "Bash",
          tool_input: { command: "rm x" },
          context: { display_name: "Bash", blocked_path: "/x", mcp_server: { name: "ui" } },
          suggestions: [{ type: "setMode", mode: "acceptEdits" }],
        },
      },
    ]);
  });

  test("to leave plan mode shows the plan", () => {
    const drafts = events({ ...ask("r1", "ExitPlanMode"), input: { plan: "# Do it" } });
    expect(drafts).toMatchObject([
      { type: "plan", data: { steps: [], explanation: "# Do it" } },
      { type: "permission_request", data: { context: { plan: "# Do it" } } },
    ]);
  });

  test("with questions that are none asks for permission instead", () => {
    const broken = { ...ask("r1", "AskUserQuestion"), input: { questions: [] } };
    expect(typesOf(events(broken))).toEqual(["permission_request"]);
  });

  const question = {
    ...ask("r2", "AskUserQuestion"),
    input: { questions: [{ question: "Which?", multiSelect: true, options: [{ label: "A" }] }] },
  };
  const hook = { type: "turnwire/hook_ask", request_id: "r3", hook_event: "Stop", input: {} };

  test("of a hook carries its input", () => {
    expect(events({ ...hook, input: { a: 1 }, tool_use_id: "c1" })).toMatchObject([
      {
        type: "hook_request",
        data: { correlation_id: "r3", hook_event: "Stop", hook_input: { a: 1 }, tool_use_id: "c1" },
      },
    ]);
  });

  test.each([
    ["permission_resolved", ask("r1", "Bash"), "r1"],
    ["question_resolved", question, "r2"],
    ["hook_resolved", hook, "r3"],
  ])("that the agent takes back ends as cancelled: %s", (type, asked, id) => {
    const cancelled = { type: "turnwire/ask_cancelled", request_id: id };
    const replay = Replay.of([turnSent("t1", "u1"), asked, cancelled, cancelled]);
    expect(replay.drafts.slice(1)).toMatchObject([
      { type, data: { correlation_id: id, outcome: "cancelled" } },
    ]);
    expect(checkGrammar(replay.log)).toEqual([]);
  });

  test("that the session has cancelled for an interrupt is not cancelled again", () => {
    const cancelled = { type: "turnwire/ask_cancelled", request_id: "r1" };
    const drafts = events(ask("r1", "Bash"), { type: "turnwire/interrupt_sent" }, cancelled);
    expect(typesOf(drafts)).toEqual(["permission_request"]);
  });
});

describe("the session", () => {
  const capabilities = {
    ...noCapabilities,
    slash_commands: [{ name: "compact", description: "Compacts" }],
  };
  const info = { type: "turnwire/run_info", capabilities };

  test("is told once what it is", () => {
    const drafts = events(init(), init());
    expect(drafts).toEqual([
      {
        type: "session_updated",
        data: { provider_session_id: "s1", model: "opus", permission_mode: "default" },
      },
    ]);
  });

  test("is told only what changed", () => {
    const mode = { type: "system", subtype: "status", status: null, permissionMode: "plan" };
    const drafts = events(init(), mode, init({ model: "haiku", permissionMode: "plan" }));
    expect(drafts.slice(1).map(({ data }) => data)).toEqual([
      { permission_mode: "plan" },
      { model: "haiku" },
    ]);
  });

  test("learns commands as they come, without those of the terminal", () => {
    const named = init({
      slash_commands: ["compact", "review", "color", "__internal"],
      terminal_slash_commands: ["color"],
    });
    const [, told] = ofType(events(info, named), "session_updated");
    expect(told?.data.capabilities?.slash_commands).toEqual([
      { name: "compact", description: "Compacts" },
      { name: "review" },
    ]);
    expect(
      ofType(events(info, init({ slash_commands: ["compact"] }), named), "session_updated"),
    ).toHaveLength(3);
  });

  test("replaces its commands when they change", () => {
    const changed = {
      type: "system",
      subtype: "commands_changed",
      commands: [{ name: "fix", description: "", argumentHint: "" }],
    };
    const [, told] = ofType(events(info, changed), "session_updated");
    expect(told?.data.capabilities?.slash_commands).toEqual([{ name: "fix" }]);
  });

  test("hears of a server when its status changes", () => {
    const connecting = init({ mcp_servers: [{ name: "ui", status: "pending" }] });
    const connected = init({ mcp_servers: [{ name: "ui", status: "connected" }] });
    const drafts = events(connecting, connecting, connected);
    expect(ofType(drafts, "mcp_status").map(({ data }) => data.status)).toEqual([
      "pending",
      "connected",
    ]);
  });
});

describe("whatever comes", () => {
  const recorded = fixtureNames().flatMap(readFixture);
  const known = fc.constantFrom(...recorded);
  const broken = fc
    .tuple(known, fc.dictionary(fc.string(), fc.jsonValue()))
    .map(([message, junk]) => Object.assign({}, message, junk));

  test.each([
    { type: "assistant", message: { id: 7 } },
    { type: "stream_event", event: { type: "newer_event" } },
    { type: "system", subtype: "newer" },
    { type: "system" },
    { type: "result" },
    { type: "turnwire/turn_sent" },
    undefined,
    () => "a function",
  ])("a message of no known form is kept: %s", (message) => {
    expect(typesOf(events(message))).toEqual(["native"]);
  });

  test("it gives valid events and never throws", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(known, broken, fc.anything())), (messages) => {
        for (const { type, data } of Replay.of(messages).drafts) {
          expect(eventData[type].safeParse(data).success).toBe(true);
        }
      }),
    );
  });

  test("a stream with holes and echoes keeps the grammar", () => {
    const stream = fc.constantFrom(...fixtureNames()).chain((name) => {
      const messages = readFixture(name);
      const length = { minLength: messages.length, maxLength: messages.length };
      return fc
        .array(fc.constantFrom(1, 1, 1, 1, 0, 2), length)
        .map((times) =>
          messages.flatMap((message, index) =>
            Array.from({ length: isVital(message) ? 1 : (times[index] ?? 1) }, () => message),
          ),
        );
    });
    fc.assert(
      fc.property(stream, (messages) => {
        expect(checkGrammar(Replay.of(messages).endNow())).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

/** What our own run says comes once, and without the CLI's word that it is idle no turn ends. */
function isVital({ type, subtype }: JsonObject): boolean {
  const isOurs = typeof type === "string" && type.startsWith("turnwire/");
  return isOurs || type === "command_lifecycle" || subtype === "session_state_changed";
}
