import type { OpenRequest } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { answerPrompt, replyTo, startAnswering, type Reply } from "./answering.ts";

const place = { seq: 1, ts: "2026-11-15T09:00:00.000Z", turn_id: "t1" };

const permission: OpenRequest = {
  ...place,
  type: "permission_request",
  data: {
    correlation_id: "p1",
    tool_name: "Bash",
    tool_input: { command: "ls", description: "look" },
    suggestions: [{ type: "addRules" }, { type: "setMode" }],
  },
};

const edit: OpenRequest = {
  ...place,
  type: "permission_request",
  data: { correlation_id: "p2", tool_name: "Edit", tool_input: { file_path: "a.ts" } },
};

const question: OpenRequest = {
  ...place,
  type: "question_request",
  data: {
    correlation_id: "q1",
    questions: [
      {
        question: "Where?",
        header: "Store",
        options: [{ label: "SQLite" }, { label: "Postgres" }],
      },
      {
        question: "What?",
        multi_select: true,
        options: [{ label: "A" }, { label: "B" }, { label: "C" }],
      },
    ],
  },
};

const hook: OpenRequest = {
  ...place,
  type: "hook_request",
  data: { correlation_id: "h1", hook_event: "PreToolUse", hook_input: {} },
};

const interrupt: OpenRequest = {
  ...place,
  type: "interrupt",
  data: {
    interrupt_id: "i1",
    component_name: "approval",
    surface: "chat",
    props: { options: ["approve", { label: "Later", value: { wait: true } }] },
  },
};

const toolCall: OpenRequest = {
  ...place,
  type: "tool_call_request",
  data: { correlation_id: "c1", tool_name: "locate", input: {} },
};

const command = (reply: Reply) => (reply.type === "command" ? reply.command : reply);

describe("an answer to a permission", () => {
  const respond = { type: "permission_response", correlation_id: "p1" };

  test.each([
    ["y", { behavior: "allow" }],
    [" YES ", { behavior: "allow" }],
    ["a", { behavior: "allow", updated_permissions: [{ type: "addRules" }] }],
    ["n", { behavior: "deny" }],
    ["no use pnpm", { behavior: "deny", message: "use pnpm" }],
    ["d", { behavior: "deny", interrupt: true }],
    ["d enough", { behavior: "deny", interrupt: true, message: "enough" }],
  ])("%j means %j", (line, response) => {
    expect(command(replyTo(startAnswering(permission, true), line))).toEqual({
      ...respond,
      ...response,
    });
  });

  test("that is not understood allows nothing", () => {
    for (const line of ["", " ", "yeah", "ok", "1", "yn"]) {
      expect(replyTo(startAnswering(permission, true), line).type).toBe("again");
    }
  });

  test("can be always only where the agent offers that", () => {
    expect(replyTo(startAnswering(edit, true), "a").type).toBe("again");
    expect(answerPrompt(startAnswering(edit, true)).label).not.toContain("always");
  });

  test("changes no input where the agent would drop the change", () => {
    const answering = startAnswering(permission, false);
    expect(answerPrompt(answering).label).not.toContain("edit");
    expect(replyTo(answering, "e").type).toBe("again");
  });

  test("may change a command as text, and any other input as JSON", () => {
    const editing = replyTo(startAnswering(permission, true), "e");
    if (editing.type !== "continue") throw new Error("not editing");
    expect(answerPrompt(editing.answering).prefill).toBe("ls");
    expect(command(replyTo(editing.answering, "ls -l"))).toEqual({
      ...respond,
      behavior: "allow",
      updated_input: { command: "ls -l", description: "look" },
    });
    const other = replyTo(startAnswering(edit, true), "e");
    if (other.type !== "continue") throw new Error("not editing");
    expect(answerPrompt(other.answering).prefill).toBe('{"file_path":"a.ts"}');
    expect(replyTo(other.answering, "b.ts").type).toBe("again");
    expect(command(replyTo(other.answering, '{"file_path":"b.ts"}'))).toMatchObject({
      updated_input: { file_path: "b.ts" },
    });
  });
});

describe("answers to questions", () => {
  function answers(...lines: readonly string[]) {
    let answering = startAnswering(question, true);
    for (const line of lines) {
      const reply = replyTo(answering, line);
      if (reply.type !== "continue") return command(reply);
      answering = reply.answering;
    }
    return "unfinished";
  }

  test("are given one by one, by number, by several numbers, by name or in one's own words", () => {
    const respond = { type: "question_response", correlation_id: "q1" };
    expect(answers("2", "1,3")).toEqual({
      ...respond,
      answers: { "Where?": "Postgres", "What?": ["A", "C"] },
    });
    expect(answers("sqlite", "2")).toEqual({
      ...respond,
      answers: { "Where?": "SQLite", "What?": ["B"] },
    });
    expect(answers("in a drawer", "whatever you like")).toEqual({
      ...respond,
      answers: { "Where?": "in a drawer", "What?": "whatever you like" },
    });
  });

  test("may be left out", () => {
    expect(answers("-", "1 2")).toMatchObject({ answers: { "What?": ["A", "B"] } });
  });

  test("that name no option, or too many, are asked again", () => {
    expect(answers("3")).toMatchObject({ type: "again", hint: "Choose from 1 to 2." });
    expect(answers("0")).toMatchObject({ type: "again" });
    expect(answers("1,2")).toMatchObject({ type: "again", hint: "Choose one of them only." });
    expect(answers("1", "1,4")).toMatchObject({ type: "again" });
  });
});

describe("answers to other requests", () => {
  test("let a hook pass, block it with a reason, or decide in JSON", () => {
    const decide = (line: string) => command(replyTo(startAnswering(hook, true), line));
    const respond = { type: "hook_response", correlation_id: "h1" };
    expect(decide("y")).toEqual({ ...respond, decision: { continue: true } });
    expect(decide("n not now")).toEqual({
      ...respond,
      decision: { decision: "block", reason: "not now" },
    });
    expect(decide('{"a":1}')).toEqual({ ...respond, decision: { a: 1 } });
    expect(decide("maybe")).toMatchObject({ type: "again" });
    expect(decide("[1]")).toMatchObject({ type: "again" });
  });

  test("give an interrupt a choice, JSON or words", () => {
    const answer = (line: string) => command(replyTo(startAnswering(interrupt, true), line));
    const respond = { type: "interrupt_response", interrupt_id: "i1" };
    expect(answer("1")).toEqual({ ...respond, value: "approve" });
    expect(answer("2")).toEqual({ ...respond, value: { wait: true } });
    expect(answer("3")).toMatchObject({ type: "again" });
    expect(answer('{"type":"again"}')).toEqual({ ...respond, value: { type: "again" } });
    expect(answer("hello there")).toEqual({ ...respond, value: "hello there" });
  });

  test("stand in for a tool of a user interface, or say that it failed", () => {
    const answer = (line: string) => command(replyTo(startAnswering(toolCall, true), line));
    const respond = { type: "tool_call_response", correlation_id: "c1" };
    expect(answer("42")).toEqual({ ...respond, output: 42 });
    expect(answer("fail no GPS")).toEqual({ ...respond, output: "no GPS", is_error: true });
  });
});

describe("an answer to a budget request", () => {
  const budget: OpenRequest = {
    ...place,
    type: "budget_request",
    data: {
      correlation_id: "b1",
      reached: ["tokens"],
      allowed: { tokens: 100 },
      used: { tokens: 120, cost_usd: 0, worked_ms: 0, turns: 1 },
    },
  };
  const command = { type: "budget_response", correlation_id: "b1" };

  test.each([
    ["tokens=500", { decision: "raise", budget: { tokens: 500 } }],
    ["raise tokens=500 turns=9", { decision: "raise", budget: { tokens: 500, turns: 9 } }],
    ["none", { decision: "raise", budget: null }],
    ["stop", { decision: "stop" }],
  ])("%s", (line, answer) => {
    const reply = replyTo(startAnswering(budget, false), line);
    expect(reply).toMatchObject({ command: { ...command, ...answer } });
  });

  test("that is none of these is asked for again, with an example of what would do", () => {
    expect(answerPrompt(startAnswering(budget, false)).label).toContain("tokens=200");
    expect(replyTo(startAnswering(budget, false), "more")).toMatchObject({
      hint: expect.stringContaining("tokens=200000"),
    });
  });
});

test("where the policy asks, nothing that the agent suggests is offered: only a rule of the policy would hold", () => {
  const policy = { rule: "install", reason: "it installs", mode: "planner", policy_version: "v" };
  const asked: OpenRequest = { ...permission, data: { ...permission.data, policy } };
  const answering = startAnswering(asked, true);
  expect(answerPrompt(answering).label).not.toContain("always");
  expect(replyTo(answering, "a")).toMatchObject({
    type: "again",
    hint: expect.stringContaining("turnwire policy allow"),
  });
});
