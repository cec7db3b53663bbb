import { call, rounds, text } from "@turnwire/conformance/openai-standin";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createMemoryStore } from "@turnwire/log";
import { expect, onTestFinished, test } from "vitest";
import { AgentSession } from "../../../runtime/src/test-support/agent-session.ts";
import { useCodexPlace } from "../test-support/codex-place.ts";

const place = useCodexPlace({
  standin: {
    scenarios: {
      inspect: rounds(
        [call("exec_command", { cmd: "touch reviewed.txt" })],
        [call("exec_command", { cmd: "echo read" })],
        [text("It is fine.")],
      ),
    },
  },
});

const review = (instructions: string) =>
  ({
    type: "user_message",
    content: "/review",
    review: { type: "instructions", text: instructions },
  }) as const;

async function openSession(): Promise<AgentSession> {
  const host = place.openHost();
  onTestFinished(() => host.close());
  return AgentSession.create(host);
}

async function startReview(own: AgentSession, instructions: string): Promise<string> {
  const { messageId } = await own.execute(review(instructions));
  const started = await own.until("turn_started", ({ data }) => data.message_id === messageId);
  return started.data.turn_id;
}

test("a review is a turn that only reads, and its findings are what the agent says", async () => {
  const own = await openSession();
  const events = await own.ended(await startReview(own, "SCENARIO:inspect"));
  expect(events.flatMap(({ type }) => (type === "permission_request" ? [type] : []))).toEqual([]);
  // Codex does not always report a command that has failed at once.
  const succeeded = events.flatMap((event) =>
    event.type === "tool_result" && !event.data.is_error ? [event.data.output] : [],
  );
  expect(succeeded).toEqual(["read\n"]);
  expect(existsSync(join(own.session.control.session.cwd ?? "", "reviewed.txt"))).toBe(false);
  const result = events.find((event) => event.type === "result");
  expect(result?.data).toMatchObject({ subtype: "success", text: "It is fine." });

  const after = await own.turn("SCENARIO:text hello");
  expect(after.find((event) => event.type === "result")?.data).toMatchObject({ text: "hello" });
  expect((await own.events()).filter(({ type }) => type === "notice")).toEqual([]);
});

test("a review can be stopped", async () => {
  const own = await openSession();
  const turnId = await startReview(own, "SCENARIO:hold middle");
  await place.standin.reached("middle");
  await own.execute({ type: "interrupt" });
  const events = await own.ended(turnId);
  expect(events.find((event) => event.type === "done")?.data).toMatchObject({ stopped: true });
});

test("a review can be undone, and one before it is kept", async () => {
  const own = await openSession();
  await own.turn("SCENARIO:text apples");
  await own.ended(await startReview(own, "SCENARIO:text quinces"));
  const undone = await startReview(own, "SCENARIO:text pears");
  await own.ended(undone);
  await own.execute({ type: "rollback", turn_id: undone });
  await own.turn("SCENARIO:text plums");
  const heard = JSON.stringify(place.standin.requests.at(-1)?.body);
  const words = ["apples", "quinces", "pears", "plums"];
  expect(words.filter((word) => heard.includes(word))).toEqual(["apples", "quinces", "plums"]);
});

test("a review that waited is refused where a policy mode has come in force", async () => {
  const own = await openSession();
  const running = await own.say("SCENARIO:hold policy");
  await place.standin.reached("policy");
  await own.execute(review("SCENARIO:inspect"));
  await own.execute({ type: "set_policy_mode", mode: "planner" });
  await own.execute({ type: "interrupt" });
  await own.ended(running);
  const failure = await own.until("error", (event) => event.turn_id !== running);
  expect(failure.data.message).toContain("the policy mode cannot hold it");
});

test("a review is not taken for a turn from elsewhere when its session wakes", async () => {
  const store = createMemoryStore();
  const host = place.openHost({}, { store });
  const own = await AgentSession.create(host);
  await own.turn("SCENARIO:text apples");
  await own.ended(await startReview(own, "SCENARIO:inspect"));
  await host.close();
  const next = place.openHost({}, { store });
  onTestFinished(() => next.close());
  const woken = await AgentSession.open(next, own.session.id);
  await woken.turn("SCENARIO:text plums");
  const events = await woken.events();
  expect(events.filter(({ type }) => type === "turn_started")).toHaveLength(3);
  expect(events.filter(({ type }) => type === "notice")).toEqual([]);
});
