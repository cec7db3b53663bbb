import { draft, type EventDraft, type EventType } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { eventOf, readAll } from "../../test-support/log-reader.ts";
import { say } from "../../test-support/played-session.ts";
import { admin, createTestSession, openTestHost } from "../../test-support/test-host.ts";

async function running(options: { is_unattended?: true }) {
  const { host, runtime, clock } = openTestHost();
  const session = await createTestSession(host);
  await say(session, "nightly", options);
  const run = await runtime.run();
  const { input } = await run.wasAsked("send");
  return { session, run, input, host, clock, runtime };
}

const correlation_id = "r1";
const permission = draft("permission_request", {
  correlation_id,
  tool_name: "Bash",
  tool_input: { command: "make" },
});
const question = draft("question_request", {
  correlation_id,
  questions: [
    { question: "Which?", options: [{ label: "A" }] },
    { question: "Only these?", options: [{ label: "B" }], options_only: true },
  ],
});
const hook = draft("hook_request", { correlation_id, hook_event: "PreToolUse", hook_input: {} });
const interrupt = draft("interrupt", {
  interrupt_id: "r1",
  component_name: "form",
  props: {},
  surface: "chat",
});

describe("an unattended turn", () => {
  test("is one in the log, in the state and for the agent", async () => {
    const { session, input } = await running({ is_unattended: true });
    expect(input.isUnattended).toBe(true);
    expect(session.control.turn).toMatchObject({ is_unattended: true });
    expect(await eventOf(session.log, "user_message")).toMatchObject({
      data: { is_unattended: true },
    });
    const attended = await running({});
    expect(attended.input).not.toHaveProperty("isUnattended");
    expect(attended.session.control.turn).not.toHaveProperty("is_unattended");
  });

  const reason = "No one is there to answer: this turn runs unattended.";
  test.each<[string, EventDraft, EventType, object, object]>([
    [
      "permission",
      permission,
      "permission_resolved",
      { outcome: "expired", allowed: false, message: reason },
      { behavior: "deny", message: reason },
    ],
    [
      "question",
      question,
      "question_resolved",
      { outcome: "expired" },
      { answers: { "Which?": reason } },
    ],
    ["hook", hook, "hook_resolved", { outcome: "expired" }, { decision: {} }],
    ["interrupt", interrupt, "interrupt_resolved", { outcome: "expired" }, { value: null }],
  ])("refuses a %s request at once", async (_name, request, type, data, answered) => {
    const { session, run, input } = await running({ is_unattended: true });
    run.say(request);
    expect(await eventOf(session.log, type)).toMatchObject({ data, turn_id: input.turnId });
    const { answer } = await run.wasAsked("answer");
    expect(answer).toMatchObject(answered);
    expect(session.control.requests).toEqual({});
    run.finish(input.turnId);
    await eventOf(session.log, "done");
    const types = (await readAll(session.log)).map((event) => event.type);
    expect(types.filter((one) => one === type)).toHaveLength(1);
  });

  test("lets the runtime refuse what a hook asks about, in its own words", async () => {
    const { runtime, session, run } = await running({ is_unattended: true });
    Object.assign(runtime, {
      refusalOfHook: ({ hook_event }: { hook_event: string }, why: string) => ({
        [hook_event]: why,
      }),
    });
    run.say(hook);
    await eventOf(session.log, "hook_resolved");
    const { answer } = await run.wasAsked("answer");
    expect(answer).toMatchObject({ decision: { PreToolUse: reason } });
  });

  test("leaves a call of a frontend tool to the pages", async () => {
    const { session, run } = await running({ is_unattended: true });
    run.say(draft("tool_call_request", { correlation_id, tool_name: "map", input: {} }));
    await eventOf(session.log, "tool_call_request");
    run.say(draft("notice", { level: "info", text: "after" }));
    await eventOf(session.log, "notice");
    expect(Object.keys(session.control.requests)).toEqual(["r1"]);
  });

  test("is over with its turn: the next one waits for an answer", async () => {
    const { session, run, input } = await running({ is_unattended: true });
    run.finish(input.turnId);
    await eventOf(session.log, "done");
    await say(session, "by day");
    await run.wasAsked("send", 2);
    run.say(permission);
    await eventOf(session.log, "permission_request");
    const answered = await session.execute(
      { type: "permission_response", correlation_id, behavior: "allow" },
      admin,
    );
    expect(answered).toMatchObject({ ok: true });
  });

  test("is what its own message says, also for one that waited or came too late to steer", async () => {
    const { session, run, input } = await running({});
    await say(session, "later", { is_unattended: true });
    expect(session.control.queue).toMatchObject([{ is_unattended: true }]);
    run.say(permission);
    await eventOf(session.log, "permission_request");
    expect(Object.keys(session.control.requests)).toEqual(["r1"]);
    run.finish(input.turnId);
    const second = await run.wasAsked("send", 2);
    expect(second.input.isUnattended).toBe(true);
    run.say(draft("permission_request", { ...permission.data, correlation_id: "r2" }));
    expect(await eventOf(session.log, "permission_resolved", 2)).toMatchObject({
      data: { correlation_id: "r2", outcome: "expired" },
    });
  });

  test("is not the same message as an attended one with its id", async () => {
    const { session } = await running({});
    const once = { client_message_id: "c1", is_unattended: true };
    expect(await say(session, "later", once)).toMatchObject({ ok: true });
    expect(await say(session, "later", once)).toMatchObject({ value: { duplicate: true } });
    expect(await say(session, "later", { client_message_id: "c1" })).toMatchObject({
      error: { code: "idempotency_conflict" },
    });
  });

  test("refuses many requests of one moment, each once", async () => {
    const { session, run, input } = await running({ is_unattended: true });
    const ids = Array.from({ length: 20 }, (_, index) => `r${index}`);
    run.say(
      ...ids.map((id) => draft("permission_request", { ...permission.data, correlation_id: id })),
    );
    await eventOf(session.log, "permission_resolved", 20);
    await run.wasAsked("answer", 20);
    run.finish(input.turnId);
    await eventOf(session.log, "done");
    const resolved = (await readAll(session.log)).flatMap((event) =>
      event.type === "permission_resolved" ? event.data.correlation_id : [],
    );
    expect(resolved.toSorted()).toEqual(ids.toSorted());
  });
});
