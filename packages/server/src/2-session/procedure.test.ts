import { setImmediate as nextTick } from "node:timers/promises";
import { checkGrammar } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { RuntimeError } from "@turnwire/runtime";
import { eventOf, readAll } from "../test-support/log-reader.ts";
import { gate, playTurn, say } from "../test-support/played-session.ts";
import { admin, createTestSession, openTestHost } from "../test-support/test-host.ts";

describe("a rollback", () => {
  test("is refused while messages wait, and holds those that come during it", async () => {
    const { host, runtime } = openTestHost();
    const session = await createTestSession(host);
    const turnId = await playTurn(session, runtime, "one");
    const run = await runtime.run();
    const forgetting = gate();
    const rollback = run.rollback.bind(run);
    const asked = gate();
    run.rollback = async (options) => {
      asked.open();
      await forgetting.opened;
      return rollback(options);
    };
    const rollingBack = session.execute({ type: "rollback", turn_id: turnId }, admin);
    await asked.opened;
    const said = await say(session, "two");
    expect(said).toMatchObject({ ok: true });
    expect(await session.execute({ type: "compact" }, admin)).toMatchObject({
      error: { code: "turn_running" },
    });
    // Commands are not held up by it.
    expect(await session.execute({ type: "rename", title: "meanwhile" }, admin)).toMatchObject({
      ok: true,
    });
    expect(session.canHibernate).toBe(false);
    // A turn would start in the next round of the event loop.
    await nextTick();
    await nextTick();
    expect(session.control.turn).toBeNull();
    forgetting.open();
    expect(await rollingBack).toMatchObject({ ok: true });
    const second = await run.wasAsked("send", 2);
    run.finish(second.input.turnId);
    await eventOf(session.log, "done", 2);
    const events = await readAll(session.log);
    expect(checkGrammar(events)).toEqual([]);
    const types = events.map(({ type }) => type);
    expect(types.indexOf("rolled_back")).toBeLessThan(types.lastIndexOf("turn_started"));
  });

  test("and a wake or a compaction answer `overloaded` while all agents work", async () => {
    const { host, runtime, errors } = openTestHost({ maxLiveRuns: 1 });
    const idle = await createTestSession(host);
    const turnId = await playTurn(idle, runtime, "one");
    const busy = await createTestSession(host);
    await say(busy, "long");
    await (await runtime.run(1)).wasAsked("send");
    const busyAnswer = { error: { code: "overloaded", retryable: true } };
    expect(await idle.wake()).toMatchObject(busyAnswer);
    expect(await idle.execute({ type: "compact" }, admin)).toMatchObject(busyAnswer);
    expect(await idle.execute({ type: "rollback", turn_id: turnId }, admin)).toMatchObject(
      busyAnswer,
    );
    const updates = (await readAll(idle.log)).filter(({ type }) => type === "session_updated");
    const statuses = updates.flatMap((event) =>
      event.type === "session_updated" ? [event.data.status] : [],
    );
    expect(statuses.filter(Boolean)).toEqual(["hibernated"]);
    expect(errors).toEqual([]);
  });
});

describe("a message that steers", () => {
  test("gets a turn of its own when its turn ends meanwhile", async () => {
    const { host, runtime } = openTestHost();
    const session = await createTestSession(host);
    await say(session, "go");
    const run = await runtime.run();
    const { input } = await run.wasAsked("send");
    run.steer = async () => {
      throw new RuntimeError("protocol", "no turn runs");
    };
    const steering = session.execute({ type: "steer", content: "and tests" }, admin);
    run.finish(input.turnId);
    const steered = await steering;
    expect(steered).toMatchObject({ ok: true });
    const second = await run.wasAsked("send", 2);
    expect(second.input.content).toEqual([{ type: "text", text: "and tests" }]);
    run.finish(second.input.turnId);
    await eventOf(session.log, "done", 2);
    const events = await readAll(session.log);
    expect(checkGrammar(events)).toEqual([]);
    expect(events.filter(({ type }) => type === "message_deferred")).toMatchObject([
      { data: { by: "admin" } },
    ]);
  });
});
