import { describe, expect, onTestFinished, test } from "vitest";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { admin } from "../../../server/src/test-support/test-host.ts";
import { AgentSession, ending } from "../../../runtime/src/test-support/agent-session.ts";
import { remembered, testSessionLife } from "../../../runtime/src/test-support/session-life.ts";
import { runCodex } from "../test-support/codex-program.ts";
import { killServers, livingServers, useCodexPlace } from "../test-support/codex-place.ts";

const place = useCodexPlace();

testSessionLife({
  place,
  createRuntime: () => place.createRuntime(),
  openHost: (options) => place.openHost({}, options),
  livingAgents: livingServers,
  killAgents: killServers,
  lostSession: "01a1ddf3-35e6-7b70-aa2c-3ec88507d606",
  hasOwnProcess: false,
  isHeldAcrossRuntimes: true,
});

type HostParts = Parameters<typeof place.openHost>;

function openHost(...parts: HostParts): SessionHost {
  const host = place.openHost(...parts);
  onTestFinished(() => host.close());
  return host;
}

test("a session that sleeps before its first turn starts over: Codex keeps nothing of it", async () => {
  const own = await AgentSession.create(openHost());
  await own.session.wake();
  await own.session.hibernate();
  expect(ending(await own.turn("SCENARIO:text first")).results).toEqual(["success"]);
});

describe("when the app-server is killed", () => {
  test("an idle session continues in the next one, the turn that ran ends as lost", async () => {
    const host = openHost();
    const [idle, busy, fresh] = await Promise.all([1, 2, 3].map(() => AgentSession.create(host)));
    if (!idle || !busy || !fresh) throw new Error("There are three sessions.");
    await idle.turn("SCENARIO:text first");
    await fresh.session.wake();
    const turnId = await busy.say("SCENARIO:hold killed");
    await place.standin.reached("killed");
    const [server] = await livingServers();
    await killServers();
    const lost = await busy.ended(turnId);
    expect(ending(lost)).toMatchObject({ isStopped: false, done: 1 });
    expect(lost).toContainEqual(
      expect.objectContaining({
        type: "error",
        data: expect.objectContaining({ code: "agent_exited" }),
      }),
    );
    const others = async () => (await livingServers()).filter((pid) => pid !== server);
    await expect.poll(others).toHaveLength(1);
    for (const own of [idle, fresh, busy]) {
      expect(ending(await own.turn("SCENARIO:text second")).results).toEqual(["success"]);
    }
    expect(idle.session.control.session.status).toBe("live");
    expect(await livingServers()).toHaveLength(1);
    await idle.turn("SCENARIO:text third");
    expect(remembered(place.standin)).toEqual(["first", "second", "third"]);
  });

  test("a request that waits for a person ends too", async () => {
    const own = await AgentSession.create(openHost());
    const turnId = await own.say("SCENARIO:tool touch never.txt");
    const { correlation_id } = await own.asked(turnId);
    await killServers();
    const events = await own.ended(turnId);
    expect(events).toContainEqual(
      expect.objectContaining({
        type: "permission_resolved",
        data: expect.objectContaining({ correlation_id, outcome: "orphaned" }),
      }),
    );
    expect(ending(await own.turn("SCENARIO:text next")).results).toEqual(["success"]);
  });
});

test("the command for the terminal is shown once Codex would take it: not while the session lives", async () => {
  const own = await AgentSession.create(openHost());
  await own.turn("SCENARIO:text first");
  expect(own.session.info().resume_command).toBe(undefined);
  await own.session.hibernate();
  const line = () => own.session.info().resume_command;
  await expect.poll(line).toBeDefined();
  const threadId = own.providerSessionId ?? "";
  expect(line()).toContain(`codex resume ${threadId}`);
  const exec = ["exec", "--json", "--skip-git-repo-check", "resume", threadId];
  await runCodex(place, ...exec, "SCENARIO:text second");
  await own.turn("SCENARIO:text third");
  expect(remembered(place.standin)).toEqual(["first", "second", "third"]);
  expect(line()).toBe(undefined);
});

describe("a rollback", () => {
  test("says that it cannot restore files", async () => {
    const own = await AgentSession.create(openHost());
    const first = await own.say("SCENARIO:text first");
    await own.ended(first);
    const rollback = { type: "rollback", turn_id: first, files: true } as const;
    expect(await own.session.execute(rollback, admin)).toMatchObject({
      ok: false,
      error: { code: "capability_missing", details: { capability: "rollback_files" } },
    });
  });
});
