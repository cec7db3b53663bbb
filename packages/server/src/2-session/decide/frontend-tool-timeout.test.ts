import { draft, type JsonObject, toolCallClaimMs } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { eventOf, readAll } from "../../test-support/log-reader.ts";
import { admin, openTestHost } from "../../test-support/test-host.ts";
import { frontendToolTimeoutMs } from "./frontend-tool-timeout.ts";

const minuteMs = 60_000;

const tool = {
  name: "choose_color",
  description: "Lets a person choose",
  input_schema: { type: "object" },
};

/** A session whose agent has called a frontend tool. */
async function withCall(params: JsonObject = {}, message: { is_unattended?: true } = {}) {
  const { host, runtime, clock } = openTestHost();
  const created = await host.create({ params }, admin);
  if (!created.ok) throw new Error(created.error.message);
  const session = created.value;
  await session.execute({ type: "user_message", content: "go", ...message }, admin);
  const run = await runtime.run();
  run.say(
    draft("tool_call_request", { correlation_id: "c1", tool_name: "choose_color", input: {} }),
  );
  const { data } = await eventOf(session.log, "tool_call_request");
  const claim = (claim_id: string) =>
    session.execute({ type: "tool_call_claim", correlation_id: "c1", claim_id }, admin);
  const isOpen = async () =>
    !(await readAll(session.log)).some(({ type }) => type === "tool_call_resolved");
  return { host, session, run, clock, claim, isOpen, expiresAt: Date.parse(data.expires_at ?? "") };
}

describe("a call of a frontend tool", () => {
  test("that no page claims for a minute ends, and the agent is given the reason", async () => {
    const { session, run, clock, isOpen, expiresAt } = await withCall();
    expect(expiresAt).toBe(clock.now() + minuteMs);
    await clock.advance(minuteMs - 1);
    expect(await isOpen()).toBe(true);
    await clock.advance(1);
    expect((await eventOf(session.log, "tool_call_resolved")).data.outcome).toBe("expired");
    expect(await run.wasAsked("answer")).toMatchObject({
      answer: {
        type: "tool_call_response",
        correlation_id: "c1",
        output: "choose_color was not performed: no open page took the call within 60 seconds.",
        is_error: true,
      },
    });
  });

  test("has the time that its declaration gives it", async () => {
    const { session, run, clock, isOpen } = await withCall({
      frontend_tools: [{ ...tool, timeout_seconds: 300 }],
    });
    await clock.advance(5 * minuteMs - 1);
    expect(await isOpen()).toBe(true);
    await clock.advance(1);
    await eventOf(session.log, "tool_call_resolved");
    expect(await run.wasAsked("answer")).toMatchObject({
      answer: { output: expect.stringContaining("within 300 seconds") },
    });
  });

  test("stays open while its claim is renewed, and for its time after the claim has run out", async () => {
    const { session, run, clock, claim, isOpen } = await withCall();
    for (let renewals = 0; renewals < 20; renewals += 1) {
      await claim("p1");
      await clock.advance(toolCallClaimMs / 3);
    }
    expect(await isOpen()).toBe(true);
    // The newest claim was made a third of its time ago.
    await clock.advance((toolCallClaimMs * 2) / 3 + minuteMs - 1);
    expect(await isOpen()).toBe(true);
    await clock.advance(1);
    await eventOf(session.log, "tool_call_resolved");
    expect(await run.wasAsked("answer")).toMatchObject({
      answer: {
        output:
          "choose_color was not completed: the page that performed it is gone, and no other took over within 60 seconds.",
        is_error: true,
      },
    });
  });

  test("whose page is gone is taken over and answered by another", async () => {
    const { session, run, clock, claim, isOpen } = await withCall();
    await claim("p1");
    await clock.advance(toolCallClaimMs - 1);
    expect(await claim("p2")).toMatchObject({ ok: false, error: { code: "already_claimed" } });
    await clock.advance(1);
    expect(await claim("p2")).toMatchObject({ ok: true });
    await clock.advance(minuteMs);
    expect(await isOpen()).toBe(true);
    const response = { correlation_id: "c1", output: "teal" };
    await session.execute({ type: "tool_call_response", ...response }, admin);
    expect(await run.wasAsked("answer")).toMatchObject({ answer: { output: "teal" } });
    await clock.advance(10 * minuteMs);
    const ended = (await readAll(session.log)).filter(({ type }) => type === "tool_call_resolved");
    expect(ended).toMatchObject([{ data: { outcome: "answered" } }]);
  });

  test("is still given to the pages in an unattended turn, and the reason is theirs", async () => {
    const { run, clock, isOpen } = await withCall({}, { is_unattended: true });
    expect(await isOpen()).toBe(true);
    await clock.advance(minuteMs);
    expect(await run.wasAsked("answer")).toMatchObject({
      answer: { output: expect.stringContaining("no open page took the call") },
    });
  });

  test("that is answered at the moment it expires has one outcome", async () => {
    const { session, run, clock } = await withCall();
    const response = { correlation_id: "c1", output: "teal" };
    const answered = session.execute({ type: "tool_call_response", ...response }, admin);
    await clock.advance(minuteMs);
    await answered;
    await run.wasAsked("answer");
    const ended = (await readAll(session.log)).filter(({ type }) => type === "tool_call_resolved");
    expect(ended).toHaveLength(1);
    expect(run.asked.filter(({ type }) => type === "answer")).toHaveLength(1);
  });

  test("does not expire for a session that has ended", async () => {
    const { host, run, clock } = await withCall();
    await host.close();
    await clock.advance(10 * minuteMs);
    expect(run.asked.filter(({ type }) => type === "answer")).toHaveLength(0);
  });
});

test.each([
  ["no declarations", {}, minuteMs],
  ["another tool's declaration", { frontend_tools: [{ ...tool, name: "other" }] }, minuteMs],
  ["a declaration without a time", { frontend_tools: [tool] }, minuteMs],
  ["something that is not a declaration", { frontend_tools: "choose_color" }, minuteMs],
  ["its own time", { frontend_tools: [{ ...tool, timeout_seconds: 5 }] }, 5000],
])("with %s a tool's time follows", (_, params, expected) => {
  expect(frontendToolTimeoutMs(params as JsonObject, "choose_color")).toBe(expected);
});
