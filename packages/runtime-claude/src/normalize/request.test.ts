import { checkGrammar } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { events, replayOf, typesOf } from "../test-support/replay.ts";
import { ask, turnSent } from "../test-support/spoken.ts";

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

  test("to leave plan mode has the plan, once, also when it is empty", () => {
    const drafts = events({ ...ask("r1", "ExitPlanMode"), input: { plan: "# Do it" } });
    expect(drafts).toMatchObject([
      { type: "permission_request", data: { context: { plan: "# Do it" } } },
    ]);
    expect(events(ask("r1", "ExitPlanMode"))).toMatchObject([{ data: { context: { plan: "" } } }]);
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

  const call = { type: "turnwire/call_ask", request_id: "r4", tool_name: "weather", input: {} };
  const form = {
    type: "turnwire/interrupt_ask",
    request_id: "r5",
    component_name: "Form",
    props: {},
    surface: "chat",
  };

  test.each([
    ["permission_resolved", ask("r1", "Bash"), { correlation_id: "r1" }],
    ["question_resolved", question, { correlation_id: "r2" }],
    ["hook_resolved", hook, { correlation_id: "r3" }],
    ["tool_call_resolved", call, { correlation_id: "r4" }],
    ["interrupt_resolved", form, { interrupt_id: "r5" }],
  ])("that the agent takes back ends as cancelled: %s", (type, asked, id) => {
    const cancelled = { type: "turnwire/ask_cancelled", request_id: Object.values(id)[0] };
    const replay = replayOf([turnSent("t1", "u1"), asked, cancelled, cancelled]);
    expect(replay.drafts.slice(1)).toMatchObject([{ type, data: { ...id, outcome: "cancelled" } }]);
    expect(checkGrammar(replay.log)).toEqual([]);
  });

  test("that the session has cancelled for an interrupt is not cancelled again", () => {
    const cancelled = { type: "turnwire/ask_cancelled", request_id: "r1" };
    const drafts = events(ask("r1", "Bash"), { type: "turnwire/interrupt_sent" }, cancelled);
    expect(typesOf(drafts)).toEqual(["permission_request"]);
  });
});
