import { draft, foldAll, initialState, requestId } from "@turnwire/protocol";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "../client.ts";
import { permissionAsked, placed, ready } from "../test-support/sample-event.ts";
import { ScriptedServer } from "../test-support/scripted-server.ts";
import { createRequestList, requestFromBlock } from "./bind-request.ts";
import type { SessionRequest } from "./session-request.ts";
import type { WithSession } from "./with-session.ts";

let server: ScriptedServer;

beforeAll(async () => {
  server = await ScriptedServer.start();
});

afterAll(() => server.close());

const asked = [
  permissionAsked("p1"),
  draft("question_request", { correlation_id: "q1", questions: [] }),
  draft("hook_request", { correlation_id: "h1", hook_event: "Stop", hook_input: null }),
  draft("interrupt", { interrupt_id: "i1", component_name: "ok", props: {}, surface: "chat" }),
  draft("tool_call_request", { correlation_id: "t1", tool_name: "choose", input: null }),
  draft("budget_request", {
    correlation_id: "b1",
    reached: ["turns"],
    allowed: { turns: 1 },
    used: { tokens: 0, cost_usd: 0, worked_ms: 0, turns: 1 },
  }),
];

const unanswered: WithSession = () => Promise.reject(new Error("no answer"));

function answer(request: SessionRequest): void {
  switch (request.type) {
    case "permission":
      return request.respond({ behavior: "allow" });
    case "question":
      return request.respond({ answers: {} });
    case "hook":
      return request.respond({ decision: {} });
    case "interrupt":
      return request.respond({ value: true });
    case "tool_call":
      return request.respond({ output: "teal" });
    case "budget":
      return request.respond({ decision: "stop" });
  }
}

describe("a list of requests", () => {
  test("binds to each the command that answers it", async () => {
    const log = placed([ready, ...asked]);
    server.addSession("bound", log);
    const client = createClient({ url: server.url, token: server.token });
    const session = client.openSession("bound");
    onTestFinished(() => session.close());
    const answers: Promise<unknown>[] = [];
    const list = createRequestList((run) => {
      const work = run(session);
      answers.push(work);
      return work;
    });
    const requests = list(foldAll(initialState(), log).requests, {});
    for (const request of requests) answer(request);
    await Promise.all(answers);
    const commands = server.seenAt("/bound/commands").map(({ body }) => body);
    expect(commands).toHaveLength(6);
    expect(commands).toEqual(
      expect.arrayContaining([
        { type: "permission_response", correlation_id: "p1", behavior: "allow" },
        { type: "question_response", correlation_id: "q1", answers: {} },
        { type: "hook_response", correlation_id: "h1", decision: {} },
        { type: "interrupt_response", interrupt_id: "i1", value: true },
        { type: "tool_call_response", correlation_id: "t1", output: "teal" },
        { type: "budget_response", correlation_id: "b1", decision: "stop" },
      ]),
    );
  });

  test("has the same object for a request until its progress is another one", () => {
    const before = foldAll(initialState(), placed([ready, ...asked.slice(0, 1)]));
    const after = foldAll(before, placed(asked.slice(1, 2), before.seq));
    const list = createRequestList(unanswered);
    const [first] = list(before.requests, {});
    expect(list(after.requests, {})[0]).toBe(first);
    const [changed] = list(after.requests, { p1: { status: "responding" } });
    expect(changed).toMatchObject({ id: "p1", progress: { status: "responding" } });
    expect(changed).not.toBe(first);
  });

  test("throws nothing where an answer fails: the view reports it", () => {
    const { requests } = foldAll(initialState(), placed([ready, ...asked]));
    const list = createRequestList(unanswered);
    expect(() => list(requests, {}).forEach(answer)).not.toThrow();
  });
});

describe("the request of a block", () => {
  const block = {
    type: "hook" as const,
    key: "b1",
    correlation_id: "r1",
    request: { correlation_id: "r1", hook_event: "Stop", hook_input: null },
  };

  test("has the progress that the view knows", () => {
    const progress = { status: "conflict", outcome: "answered" } as const;
    const request = requestFromBlock({ ...block, status: "answered" }, progress, unanswered);
    expect(request).toMatchObject({ id: requestId(block), progress });
  });

  test.each([
    ["open", { status: "requested" }],
    ["answered", { status: "resolved", outcome: "answered" }],
    ["cancelled", { status: "resolved", outcome: "cancelled" }],
    ["orphaned", { status: "resolved", outcome: "orphaned" }],
    ["expired", { status: "expired", outcome: "expired" }],
  ] as const)(
    "has what its status %s says, where the view has forgotten it",
    (status, progress) => {
      expect(requestFromBlock({ ...block, status }, undefined, unanswered).progress).toEqual(
        progress,
      );
    },
  );
});
