import { eventData } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { type Bench, endOf, type SharedRun, textOf, textOfMessage } from "./bench.ts";

/** Things no agent sends: a normalizer must keep them and never fail on them. */
const strangers = [
  { type: "unknown-to-all", payload: { deep: [1, null, "x"] } },
  { method: "unknown/method", params: {} },
  { type: 7 },
  {},
  [],
  "text",
  0,
  null,
].map((message) => ({ message }));

export function testTurns(bench: Bench, shared: SharedRun): void {
  describe("in a turn", () => {
    test("gives text, one result and one done that names the turn", async () => {
      const recorder = await shared.idle();
      const turnId = await recorder.send(bench.prompts.text);
      const events = await recorder.turn(turnId);
      expect(textOf(events)).not.toBe("");
      const end = { turnId, subtype: "success", isError: false, isStopped: false };
      expect(endOf(events)).toEqual(end);
    });

    test("gives only events that the protocol knows", async () => {
      const recorder = await shared.idle();
      await recorder.turn(await recorder.send(bench.prompts.text));
      for (const event of recorder.events) {
        expect(eventData[event.type].parse(event.data)).toEqual(event.data);
      }
    });

    test("completes a message with the text that its deltas brought", async () => {
      const recorder = await shared.idle();
      const events = await recorder.turn(await recorder.send(bench.prompts.text));
      const completed = events.filter((event) => event.type === "message_complete");
      expect(completed.length).toBeGreaterThan(0);
      for (const { data } of completed) {
        expect(textOfMessage(data.message)).toBe(textOf(events, data.message_id));
      }
    });

    test("answers a second turn of the same run", async () => {
      const recorder = await shared.idle();
      await recorder.turn(await recorder.send(bench.prompts.text));
      const second = await recorder.send(bench.prompts.text);
      const events = await recorder.turn(second);
      expect(endOf(events)).toMatchObject({ turnId: second, subtype: "success" });
      expect(textOf(events)).not.toBe("");
    });

    test("never mixes two runs", async () => {
      const recorder = await shared.idle();
      const other = await bench.start(recorder.runtime, { sessionId: "contract-other" });
      const recorders = [recorder, other];
      const logs = await Promise.all(
        recorders.map(async (one) => one.turn(await one.send(bench.prompts.text))),
      );
      const ids = logs.map((events) => new Set(events.flatMap(messageIdOf)));
      for (const events of logs) expect(endOf(events).subtype).toBe("success");
      expect([...(ids[0] ?? [])].filter((id) => ids[1]?.has(id))).toEqual([]);
    });

    test.each(strangers)("keeps an unknown native message: $message", async (stranger) => {
      const { normalizer } = await bench.open();
      const [, events] = normalizer.step(normalizer.initial(), stranger.message);
      expect(events.map(({ type }) => type)).toEqual(["native"]);
    });
  });
}

function messageIdOf(event: { type: string; data: object }): string[] {
  const isAgents = event.type === "delta" || event.type === "message_complete";
  return isAgents && "message_id" in event.data ? [String(event.data.message_id)] : [];
}
