import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTick } from "node:timers/promises";
import { createMemoryStore } from "@turnwire/log";
import { checkGrammar, draft, type EventDraft } from "@turnwire/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { ManualClock } from "../../../../base/src/test-support/manual-clock.ts";
import { eventOf, readAll } from "../../test-support/log-reader.ts";
import { follow, playTurn, say } from "../../test-support/played-session.ts";
import { ScriptedRuntime } from "../../test-support/scripted-runtime.ts";
import { admin, createTestSession, openTestHost } from "../../test-support/test-host.ts";
const task = (status: "running" | "completed"): EventDraft =>
  draft("task", { task_id: "build", status });

describe("an agent at work in the background", () => {
  test("is neither put to sleep nor evicted until its task is done", async () => {
    const { host, runtime, clock } = openTestHost({ maxLiveRuns: 1, idleMs: 1000 });
    const session = await createTestSession(host);
    await playTurn(session, runtime, "build it");
    const run = await runtime.run();
    run.say(task("running"));
    await eventOf(session.log, "task");
    await clock.advance(5000);
    expect(session.ended).toBeUndefined();
    const other = await createTestSession(host);
    await say(other, "me too");
    const waiting = await eventOf(other.log, "notice");
    expect(waiting.data.text).toContain("Waiting for a free agent");
    expect(run.asked.some(({ type }) => type === "close")).toBe(false);
    run.say(task("completed"));
    await (await runtime.run(1)).wasAsked("send");
    expect(session.hasAgent).toBe(false);
  });

  test("counts while it compacts", async () => {
    const { host, runtime, clock } = openTestHost({ idleMs: 1000 });
    const session = await createTestSession(host);
    await playTurn(session, runtime, "one");
    await session.execute({ type: "compact" }, admin);
    await clock.advance(5000);
    expect(session.ended).toBeUndefined();
    (await runtime.run()).say(draft("compacted", {}));
    await eventOf(session.log, "compacted");
    const { ended } = follow(session);
    await clock.advance(5000);
    expect(await ended).toBe("released");
  });
});

describe("an agent where the agents of all hosts together are limited", () => {
  test("waits for one of another host, which is put to sleep once it is idle", async () => {
    const clock = new ManualClock();
    const store = createMemoryStore({ isShared: true, clock });
    const [here, there] = [
      openTestHost({ store, clock, maxSharedRuns: 1 }),
      openTestHost({ store, clock, maxSharedRuns: 1 }),
    ];
    const first = await createTestSession(here.host);
    const said = await say(first, "work");
    if (!said.ok) throw new Error(said.error.message);
    const { run, turnId } = await here.runtime.sent(said.value.messageId);
    const second = await createTestSession(there.host);
    await say(second, "me too");
    const waiting = await eventOf(second.log, "notice");
    expect(waiting.data.text).toContain("all 1 that the hosts of this server run at once are busy");
    run.finish(turnId);
    await (await there.runtime.run()).wasAsked("send");
    expect(first.hasAgent).toBe(false);
    await Promise.all([here.host.close(), there.host.close()]);
  });
});

describe("a turn that an agent begins by itself", () => {
  test("while it is being put to sleep ends with it, and holds up no message", async () => {
    const { host, runtime } = openTestHost();
    const session = await createTestSession(host);
    await playTurn(session, runtime, "one");
    const run = await runtime.run();
    const close = run.close.bind(run);
    run.close = async () => {
      run.say(draft("turn_started", { turn_id: "own" }, { turn_id: "own" }));
      await nextTick();
      await close();
    };
    await session.hibernate();
    await playTurn(session, runtime, "two");
    const events = await readAll(session.log);
    expect(checkGrammar(events)).toEqual([]);
    expect(events.filter(({ type }) => type === "done")).toHaveLength(3);
  });
});

describe("the cap on live agents", () => {
  test("takes the one that has been idle longest, not the one that just finished", async () => {
    const { host, runtime } = openTestHost({ maxLiveRuns: 2 });
    const early = await createTestSession(host);
    const late = await createTestSession(host);
    await say(early, "long");
    const { input } = await (await runtime.run()).wasAsked("send");
    await playTurn(late, runtime, "short");
    (await runtime.run()).finish(input.turnId);
    await eventOf(early.log, "done");
    await nextTick();
    const third = await createTestSession(host);
    await playTurn(third, runtime, "room, please");
    expect([early.hasAgent, late.hasAgent]).toEqual([true, false]);
  });

  test("gives a slot back although the normalizer breaks at the end", async () => {
    const runtime = new ScriptedRuntime();
    runtime.normalizer.end = () => {
      throw new Error("a bug in the normalizer");
    };
    const { host, errors } = openTestHost({ runtimes: [runtime] });
    const session = await createTestSession(host);
    await playTurn(session, runtime, "one");
    await session.hibernate();
    expect(host.metrics.liveRuns).toBe(0);
    expect(errors).toHaveLength(1);
  });
});

describe("what a broken runtime says", () => {
  test("is kept as native, and hurts nothing", async () => {
    const { host, runtime, errors } = openTestHost();
    const session = await createTestSession(host);
    await say(session, "go");
    const run = await runtime.run();
    const { input } = await run.wasAsked("send");
    const malformed = [
      { type: "permission_request", data: null },
      { type: "delta", data: { message_id: "m" } },
      { type: "no_such_event", data: {} },
      { type: "done", data: {}, turn_id: 7 },
    ];
    // What a runtime in plain JavaScript could do.
    run.say(...(malformed as never[]));
    run.finish(input.turnId);
    await eventOf(session.log, "done");
    const events = await readAll(session.log);
    expect(events.filter(({ type }) => type === "native")).toHaveLength(malformed.length);
    expect(checkGrammar(events)).toEqual([]);
    expect(errors).toEqual([]);
  });
});

describe("the working directory", () => {
  test("is checked again at every start of an agent", async () => {
    const root = await mkdtemp(join(tmpdir(), "turnwire-root-"));
    const elsewhere = await mkdtemp(join(tmpdir(), "turnwire-elsewhere-"));
    onTestFinished(async () => {
      await rm(root, { recursive: true });
      await rm(elsewhere, { recursive: true });
    });
    const cwd = join(root, "project");
    await mkdir(cwd);
    const { host, runtime } = openTestHost({ roots: [root] });
    const created = await host.create({ cwd }, admin);
    if (!created.ok) throw new Error(created.error.message);
    const session = created.value;
    await playTurn(session, runtime, "inside");
    await session.hibernate();
    await rm(cwd, { recursive: true });
    await symlink(elsewhere, cwd);
    await say(session, "outside");
    const failed = await eventOf(session.log, "error");
    expect(failed.data.message).toContain("outside the allowed roots");
    expect(runtime.runs).toHaveLength(1);
    expect(host.metrics.liveRuns).toBe(0);
  });
});
