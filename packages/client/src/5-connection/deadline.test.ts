import { describe, expect, test } from "vitest";
import { ManualPlatform } from "../test-support/manual-platform.ts";
import { createDeadline } from "./deadline.ts";

const never = new Promise<never>(() => {});

describe("a deadline", () => {
  test("rejects with a timeout when the time is over", async () => {
    const manual = new ManualPlatform();
    const deadline = createDeadline(manual.platform, { name: "It", timeoutMs: 500 });
    const racing = deadline.race(never);
    manual.advance(500);
    await expect(racing).rejects.toMatchObject({
      code: "timeout",
      message: "It took longer than 500 ms",
    });
    expect(deadline.signal.aborted).toBe(true);
    await expect(deadline.race(never)).rejects.toMatchObject({ code: "timeout" });
  });

  test("rejects when the caller gives up, also if that was before the start", async () => {
    const manual = new ManualPlatform();
    const abort = new AbortController();
    const late = createDeadline(manual.platform, { name: "It", signal: abort.signal });
    const racing = late.race(never);
    abort.abort();
    await expect(racing).rejects.toMatchObject({ code: "aborted" });
    const early = createDeadline(manual.platform, { name: "It", signal: abort.signal });
    expect(early.signal.aborted).toBe(true);
    await expect(early.race(never)).rejects.toMatchObject({ code: "aborted" });
  });

  test("lets work through that is done in time, and its failures too", async () => {
    const deadline = createDeadline(new ManualPlatform().platform, { name: "It", timeoutMs: 500 });
    expect(await deadline.race(Promise.resolve("done"))).toBe("done");
    await expect(deadline.race(Promise.reject(new Error("no")))).rejects.toThrow("no");
  });

  test("that is released never fires and holds no timer", () => {
    const manual = new ManualPlatform();
    const abort = new AbortController();
    const options = { name: "It", timeoutMs: 500, signal: abort.signal };
    const deadline = createDeadline(manual.platform, options);
    deadline.release();
    expect(manual.timerCount).toBe(0);
    abort.abort();
    expect(deadline.error).toBeUndefined();
  });
});
