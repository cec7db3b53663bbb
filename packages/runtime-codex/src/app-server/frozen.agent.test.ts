import { expect, onTestFinished, test } from "vitest";
import { ManualClock } from "../../../base/src/test-support/manual-clock.ts";
import { AgentSession, ending } from "../../../runtime/src/test-support/agent-session.ts";
import { remembered } from "../../../runtime/src/test-support/session-life.ts";
import { livingServers, useCodexPlace } from "../test-support/codex-place.ts";

const place = useCodexPlace();

/** Stops the app-server in its tracks; its caller then finds that it answers nothing. */
async function freeze(clock: ManualClock): Promise<() => Promise<void>> {
  const [server] = await livingServers();
  if (server === undefined) throw new Error("No app-server lives.");
  process.kill(server, "SIGSTOP");
  return async () => {
    await expect.poll(() => clock.waiting).toBe(1);
    await clock.advance(30_000);
    await expect.poll(() => clock.waiting).toBe(1);
    await clock.advance(5000);
  };
}

function openHost(clock: ManualClock) {
  const host = place.openHost({ clock, limits: { endMs: 50, termMs: 50 } });
  onTestFinished(() => host.close());
  return host;
}

test("a session that begins while the app-server is frozen gets the next one and notices nothing", async () => {
  const clock = new ManualClock();
  const host = openHost(clock);
  const first = await AgentSession.create(host);
  await first.turn("SCENARIO:text first");
  const find = await freeze(clock);
  const second = await AgentSession.create(host);
  const turnId = await second.say("SCENARIO:text second");
  await find();
  expect(ending(await second.ended(turnId)).results).toEqual(["success"]);
  expect(ending(await first.turn("SCENARIO:text third")).results).toEqual(["success"]);
  expect(remembered(place.standin)).toEqual(["first", "third"]);
});

test("a turn that a frozen app-server does not take fails, and the next message is answered by another", async () => {
  const clock = new ManualClock();
  const own = await AgentSession.create(openHost(clock));
  await own.turn("SCENARIO:text one");
  const find = await freeze(clock);
  const turnId = await own.say("SCENARIO:text two");
  await find();
  const events = await own.ended(turnId);
  expect(ending(events)).toEqual({ results: [], isError: false, isStopped: false, done: 1 });
  expect(JSON.stringify(events)).toContain("did not answer any more and was stopped");
  expect(ending(await own.turn("SCENARIO:text three")).results).toEqual(["success"]);
});
