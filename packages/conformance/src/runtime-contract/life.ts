import { RuntimeError } from "@turnwire/runtime";
import { describe, expect, test } from "vitest";
import { type Bench, endOf, type SharedRun } from "./bench.ts";

export function testLife(bench: Bench, shared: SharedRun): void {
  const { text, long, crash } = bench.prompts;

  test("offers a method for each capability that it claims", async () => {
    const { run, runtime } = await shared.idle();
    const { capabilities } = runtime;
    const methods = [
      [capabilities.steer, "steer"],
      [capabilities.set_model, "setModel"],
      [capabilities.set_effort, "setEffort"],
      [capabilities.set_permission_mode, "setPermissionMode"],
      [capabilities.stop_task, "stopTask"],
      [capabilities.compact, "compact"],
      [capabilities.rollback, "rollback"],
    ] as const;
    const claimed = methods.flatMap(([isClaimed, method]) => (isClaimed ? [method] : []));
    expect(claimed.filter((method) => typeof run[method] !== "function")).toEqual([]);
    expect(typeof runtime.fork === "function").toBe(capabilities.fork);
  });

  test("learns how a person changed the shared state: at once by a method, or from the UI with the next message", async () => {
    const runtime = await bench.open();
    let reads = 0;
    const ui = {
      catalog: () => [],
      component: () => undefined,
      check: async () => undefined,
      checkPatches: () => undefined,
      state: () => {
        reads += 1;
        return { value: null, version: 0 };
      },
    };
    const recorder = await bench.start(runtime, { ui });
    await recorder.turn(await recorder.send(text));
    const learns = typeof recorder.run.sharedState === "function" || reads > 0;
    expect(learns || !runtime.capabilities.shared_state).toBe(true);
  });

  describe("when it is closed", () => {
    test("ends its messages while idle", async () => {
      const recorder = await bench.start();
      await recorder.turn(await recorder.send(text));
      await recorder.run.close();
      expect(await recorder.untilEnd()).toEqual({ type: "closed" });
    });

    test("before any turn, ends its messages, may be closed again, also at once, and refuses a turn with a RuntimeError", async () => {
      const recorder = await bench.start();
      await Promise.all([recorder.run.close(), recorder.run.close()]);
      await recorder.run.close();
      expect(await recorder.untilEnd()).toEqual({ type: "closed" });
      await expect(recorder.send(text)).rejects.toBeInstanceOf(RuntimeError);
    });

    test.skipIf(long === undefined)("ends its messages in the middle of a turn", async () => {
      const recorder = await bench.start();
      await recorder.send(long ?? "");
      await recorder.until("delta");
      await recorder.run.close();
      expect(await recorder.untilEnd()).toEqual({ type: "closed" });
    });

    test("leaves the runtime's other runs alone", async () => {
      const living = await shared.idle();
      const closed = await bench.start(living.runtime, { sessionId: "contract-closed" });
      await closed.run.close();
      expect(endOf(await living.turn(await living.send(text))).subtype).toBe("success");
    });
  });

  test.skipIf(crash === undefined)("throws from its messages when the agent dies", async () => {
    // It may take along what else runs.
    await shared.close();
    const runtime = await bench.open();
    const recorder = await bench.start(runtime);
    await recorder.send(crash ?? "");
    expect(await recorder.untilEnd()).toMatchObject({ type: "died" });
    expect(recorder.events.some(({ type }) => type === "done")).toBe(false);
    await recorder.run.close();
    const next = await bench.start(runtime);
    expect(endOf(await next.turn(await next.send(text))).subtype).toBe("success");
  });

  test.skipIf(!bench.canResume)("continues a provider session by its id", async () => {
    const runtime = await bench.open();
    const first = await bench.start(runtime);
    await first.turn(await first.send(text));
    const learned = first.events.filter((event) => event.type === "session_updated");
    const resume = learned.map(({ data }) => data.provider_session_id).find(Boolean);
    expect(resume).toBeTypeOf("string");
    await first.run.close();
    const second = await bench.start(runtime, resume === undefined ? {} : { resume });
    expect(endOf(await second.turn(await second.send(text))).subtype).toBe("success");
  });
}
