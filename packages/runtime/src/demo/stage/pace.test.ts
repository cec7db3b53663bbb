import { describe, expect, onTestFinished, test } from "vitest";
import { dataOf, instantClock, play, start } from "../test-support/player.ts";

describe("the demo agent's tempo", () => {
  test("pauses before each word as long as the runtime says", async () => {
    const { waits, clock } = instantClock();
    await play(await start({}, { clock }), "hello");
    expect(new Set(waits)).toEqual(new Set([15]));
  });

  test("pauses as the session's delay_ms says, and not at all with 0", async () => {
    const { waits, clock } = instantClock();
    await play(await start({ params: { delay_ms: 3 } }, { clock }), "hello");
    expect(new Set(waits)).toEqual(new Set([3]));
    waits.length = 0;
    await play(await start({ params: { delay_ms: 0 } }, { clock }), "/tools");
    expect(waits).toEqual([]);
  });

  test.each(["fast", -5, null, {}])("ignores a delay_ms of %j", async (delay_ms) => {
    const { waits, clock } = instantClock();
    await play(await start({ params: { delay_ms } }, { clock, delayMs: 7 }), "hello");
    expect(new Set(waits)).toEqual(new Set([7]));
  });

  test("stops in the middle of a pause", async () => {
    const recorder = await start({ params: { delay_ms: 10_000 } });
    const turnId = await recorder.send("hello");
    await recorder.interrupt();
    const events = await recorder.turn(turnId);
    expect(dataOf(events, "done")).toEqual([{ turn_id: turnId, stopped: true }]);
  });

  test("floods with as many deltas as asked, and other work gets its turn", async () => {
    const recorder = await start();
    const turnId = await recorder.send("/flood 10000");
    let loops = 0;
    const count = () => {
      loops += 1;
      immediate = setImmediate(count);
    };
    let immediate = setImmediate(count);
    onTestFinished(() => clearImmediate(immediate));
    expect(dataOf(await recorder.turn(turnId), "delta")).toHaveLength(10_000);
    expect(loops).toBeGreaterThan(100);
  });

  test("stops in the middle of a flood", async () => {
    const recorder = await start();
    const turnId = await recorder.send("/flood 10000");
    await recorder.until("delta");
    await recorder.interrupt();
    expect(dataOf(await recorder.turn(turnId), "delta").length).toBeLessThan(5);
  });

  test("gives a huge output in one event, of the size asked for", async () => {
    const [result] = dataOf(await play(await start(), "/huge 2"), "tool_result");
    expect(JSON.stringify(result?.output).length).toBeGreaterThanOrEqual(2 * 1024 * 1024);
  });
});
