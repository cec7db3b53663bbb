import { type EventType, eventData } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { demoScenarios } from "./catalog.ts";
import { wordGate } from "../test-support/gate.ts";
import { dataOf, play, start, yesTo } from "../test-support/player.ts";

const survivable = demoScenarios.filter(({ name }) => name !== "crash");

describe("a demo scenario", () => {
  test.each(survivable)("$name ends once, in events the protocol knows", async ({ example }) => {
    const events = await play(await start(), example);
    for (const { type, data } of events) expect(eventData[type].parse(data)).toEqual(data);
    expect(events.filter(({ type }) => type === "done")).toHaveLength(1);
    expect(events.at(-1)?.type).toBe("done");
  });

  test.each(survivable)("$name ends at once when stopped at any moment", async ({ example }) => {
    for (const stopAt of [0, 1, 2, 5, 9, 14, 30]) {
      const recorder = await start();
      const turnId = await recorder.send(example);
      for (let step = 0; step < stopAt; step += 1) {
        const event = await recorder.next();
        const answer = event && yesTo(event);
        if (answer) await recorder.answer(answer);
        if (event?.type === "done") break;
      }
      await recorder.interrupt();
      const isOver = recorder.events.some(({ type }) => type === "done");
      if (!isOver) await recorder.until("done");
      const events = recorder.events.filter((event) => event.turn_id === turnId);
      expect(dataOf(events, "done")).toHaveLength(1);
      const open = new Set(dataOf(events, "tool_start").map(({ tool_use_id }) => tool_use_id));
      for (const { tool_use_id } of dataOf(events, "tool_result")) open.delete(tool_use_id);
      expect([...open]).toEqual([]);
    }
  });

  test("together they show every event that a runtime can give", async () => {
    const bySession: EventType[] = [
      "session_closed",
      "permission_resolved",
      "budget_request",
      "budget_resolved",
      "permission_granted",
      "permission_revoked",
      "question_resolved",
      "hook_resolved",
      "interrupt_resolved",
      "tool_call_claimed",
      "tool_call_resolved",
      "component_callback",
      "catalog_updated",
      "message_deferred",
      "message_cancelled",
      "rolled_back",
    ];
    const byCliThatDialsIn: EventType = "native_line";
    const shown = new Set<string>([...bySession, byCliThatDialsIn]);
    for (const { example } of survivable) {
      const recorder = await start({ gate: wordGate() });
      await play(recorder, example);
      for (const { type } of recorder.events) shown.add(type);
    }
    expect(Object.keys(eventData).filter((type) => !shown.has(type))).toEqual([]);
  });
});
