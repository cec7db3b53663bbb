import { describe, expect, test } from "vitest";
import { type Bench, endOf, type SharedRun, textOf, textOfMessage } from "./bench.ts";
import type { RunRecorder } from "./run-recorder.ts";

export function testInterrupts(bench: Bench, shared: SharedRun): void {
  const { long, text } = bench.prompts;

  async function midText(): Promise<{ recorder: RunRecorder; turnId: string }> {
    const recorder = await shared.idle();
    const turnId = await recorder.send(long ?? "");
    await recorder.until("delta");
    return { recorder, turnId };
  }

  describe.skipIf(long === undefined)("when it is interrupted in its text", () => {
    test("ends the turn as stopped, which is not an error", async () => {
      const { recorder, turnId } = await midText();
      await recorder.interrupt();
      const end = { turnId, subtype: "interrupted", isError: false, isStopped: true };
      expect(endOf(await recorder.turn(turnId))).toEqual(end);
    });

    test("keeps what it had said", async () => {
      const { recorder, turnId } = await midText();
      await recorder.interrupt();
      const events = await recorder.turn(turnId);
      const completed = events.filter((event) => event.type === "message_complete");
      const whole = completed.map(({ data }) => textOfMessage(data.message)).join("");
      expect(whole).toBe(textOf(events));
    });

    test("ends the turn once when interrupted twice", async () => {
      const { recorder, turnId } = await midText();
      await recorder.interrupt();
      await recorder.interrupt();
      expect(endOf(await recorder.turn(turnId)).isStopped).toBe(true);
    });

    test("answers the next turn as if nothing had happened", async () => {
      const { recorder, turnId } = await midText();
      const before = endsIn(recorder);
      await recorder.interrupt();
      await recorder.turn(turnId);
      const next = await recorder.send(text);
      const events = await recorder.turn(next);
      expect(endOf(events)).toMatchObject({ turnId: next, subtype: "success", isStopped: false });
      expect(endsIn(recorder) - before).toBe(2);
    });
  });

  test("does nothing when it is interrupted while idle", async () => {
    const recorder = await bench.start();
    await recorder.interrupt();
    await recorder.turn(await recorder.send(text));
    await recorder.interrupt();
    const events = await recorder.turn(await recorder.send(text));
    expect(endOf(events)).toMatchObject({ subtype: "success", isStopped: false });
    expect(endsIn(recorder)).toBe(2);
  });
}

/** How many turns have ended. */
function endsIn({ events }: RunRecorder): number {
  return events.filter(({ type }) => type === "done").length;
}
