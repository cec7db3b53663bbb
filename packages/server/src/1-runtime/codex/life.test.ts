import { gate, item, text } from "@turnwire/conformance/openai-standin";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { SessionHost } from "../../2-session/session-host.ts";
import { createMemoryStore } from "../../2-session/store/memory.ts";
import { AgentSession, ending, spoken } from "../test-support/agent-session.ts";
import { killServers, livingServers, useCodexPlace } from "./test-support/codex-place.ts";

const place = useCodexPlace();

type HostParts = Parameters<typeof place.openHost>;

function openHost(...parts: HostParts): SessionHost {
  const host = place.openHost(...parts);
  onTestFinished(() => host.close());
  return host;
}

/** What the model was told in its newest call, without Codex's own words. */
function remembered(): string[] {
  const { body } = place.standin.requests.at(-1) ?? {};
  const said = JSON.stringify(body).matchAll(/SCENARIO:text (\w+)/g);
  return Array.from(said, (match) => match[1] ?? "");
}

describe("a session that sleeps", () => {
  test("goes on where it was", async () => {
    const own = await AgentSession.create(openHost());
    await own.turn("SCENARIO:text first");
    const id = own.providerSessionId;
    await own.session.hibernate();
    expect(ending(await own.turn("SCENARIO:text second")).results).toEqual(["success"]);
    expect(remembered()).toEqual(["first", "second"]);
    expect(own.providerSessionId).toBe(id);
  });

  test("before its first turn begins anew: Codex keeps nothing of it", async () => {
    const own = await AgentSession.create(openHost());
    await own.session.wake();
    await own.session.hibernate();
    expect(ending(await own.turn("SCENARIO:text first")).results).toEqual(["success"]);
  });

  test("goes on under another server", async () => {
    const store = createMemoryStore();
    const earlier = openHost({}, { store });
    const own = await AgentSession.create(earlier);
    await own.turn("SCENARIO:text first");
    await earlier.close();
    expect(await livingServers()).toEqual([]);
    const later = await AgentSession.open(openHost({}, { store }), own.session.id);
    await later.turn("SCENARIO:text second");
    expect(remembered()).toEqual(["first", "second"]);
  });

  test("says so when the provider has lost it, and never starts afresh", async () => {
    const own = await AgentSession.create(openHost());
    await own.turn("SCENARIO:text first");
    await own.session.hibernate();
    const provider_session_id = "01a1ddf3-35e6-7b70-aa2c-3ec88507d606";
    await own.session.seed([{ type: "session_updated", data: { provider_session_id } }]);
    const events = await own.turn("SCENARIO:text second");
    const errors = events.flatMap((event) => (event.type === "error" ? [event.data.message] : []));
    expect(errors).toEqual([expect.stringContaining("could not go on")]);
    expect(spoken(events)).toBe("");
  });
});

describe("when the app-server is killed", () => {
  test("an idle session goes on in the next one, the turn that ran ends as lost", async () => {
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
    await vi.waitUntil(async () => {
      const [next] = await livingServers();
      return next !== undefined && next !== server;
    });
    for (const own of [idle, fresh, busy]) {
      expect(ending(await own.turn("SCENARIO:text second")).results).toEqual(["success"]);
    }
    expect(idle.session.control.session.status).toBe("live");
    expect(await livingServers()).toHaveLength(1);
    await idle.turn("SCENARIO:text third");
    expect(remembered()).toEqual(["first", "second", "third"]);
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

describe("a fork", () => {
  test("takes along the turns up to the one that is named", async () => {
    const host = openHost();
    const own = await AgentSession.create(host);
    const turnId = await own.say("SCENARIO:text first");
    await own.ended(turnId);
    await own.turn("SCENARIO:text second");
    const { forked } = await own.execute({ type: "fork", turn_id: turnId });
    const copy = await AgentSession.open(host, forked?.session_id ?? "");
    expect(copy.providerSessionId).not.toBe(own.providerSessionId);
    await copy.turn("SCENARIO:text other");
    expect(remembered()).toEqual(["first", "other"]);
    await own.turn("SCENARIO:text third");
    expect(remembered()).toEqual(["first", "second", "third"]);
  });

  test("of a fork, and of all turns", async () => {
    const host = openHost();
    const own = await AgentSession.create(host);
    await own.turn("SCENARIO:text first");
    const { forked } = await own.execute({ type: "fork" });
    const copy = await AgentSession.open(host, forked?.session_id ?? "");
    await copy.turn("SCENARIO:text second");
    const again = await copy.execute({ type: "fork" });
    const second = await AgentSession.open(host, again.forked?.session_id ?? "");
    await second.turn("SCENARIO:text third");
    expect(remembered()).toEqual(["first", "second", "third"]);
  });
});

describe("a rollback", () => {
  test("makes the agent forget the turn and all after it, also across a sleep and a kill", async () => {
    const own = await AgentSession.create(openHost());
    await own.turn("SCENARIO:text first");
    const second = await own.say("SCENARIO:text second");
    await own.ended(second);
    await own.turn("SCENARIO:text third");
    await own.execute({ type: "rollback", turn_id: second });
    await own.session.hibernate();
    await own.turn("SCENARIO:text fourth");
    expect(remembered()).toEqual(["first", "fourth"]);
    await own.session.hibernate();
    await killServers();
    await own.turn("SCENARIO:text fifth");
    expect(remembered()).toEqual(["first", "fourth", "fifth"]);
  });

  test("of all turns starts anew, also across a sleep and a kill", async () => {
    const own = await AgentSession.create(openHost());
    const first = await own.say("SCENARIO:text first");
    await own.ended(first);
    await own.execute({ type: "rollback", turn_id: first });
    await own.session.hibernate();
    await killServers();
    await own.turn("SCENARIO:text second");
    expect(remembered()).toEqual(["second"]);
  });

  test("says that it cannot restore files", async () => {
    const own = await AgentSession.create(openHost());
    const first = await own.say("SCENARIO:text first");
    await own.ended(first);
    const rollback = own.execute({ type: "rollback", turn_id: first, files: true });
    await expect(rollback).rejects.toThrow("cannot restore files");
  });
});

test("compaction shortens what the agent remembers and is told; the next turn waits for it", async () => {
  const own = await AgentSession.create(openHost());
  await own.turn("SCENARIO:text first");
  await own.execute({ type: "compact" });
  const events = await own.turn("SCENARIO:text second");
  expect(ending(events).results).toEqual(["success"]);
  expect(spoken(events)).toBe("second");
  await own.until("compacted");
  expect(JSON.stringify(place.standin.requests.at(-1)?.body)).toContain("What was said so far.");
});

test("two runs never write to one thread", async () => {
  const runtime = place.createRuntime();
  onTestFinished(() => runtime.close?.());
  const host = openHost();
  const own = await AgentSession.create(host);
  await own.turn("SCENARIO:text first");
  await host.close();
  const resume = own.providerSessionId ?? "";
  const options = { sessionId: "one", cwd: place.cwd, resume };
  const run = await runtime.createRun(options);
  await expect(runtime.createRun({ ...options, sessionId: "two" })).rejects.toMatchObject({
    code: "resume_failed",
  });
  const other = place.createRuntime();
  onTestFinished(() => other.close?.());
  await expect(other.createRun(options)).rejects.toMatchObject({ code: "resume_failed" });
  await run.close();
  const next = await runtime.createRun(options);
  await next.close();
});

function said(index: number): { type: string; text: string }[] {
  return [{ type: "output_text", text: `${index} says. ` }];
}

test("fifty sessions of one app-server stream at once, and none mixes with another", async () => {
  const host = openHost({}, { maxLiveRuns: 60 });
  const sessions = await Promise.all(Array.from({ length: 50 }, () => AgentSession.create(host)));
  const turnIds = await Promise.all(
    sessions.map(async (own, index) => {
      place.standin.scenario(`crowd-${index}`, () => [
        // The model gives its messages the same id in every session.
        item({ type: "message", id: "msg_same", role: "assistant", content: said(index) }),
        text(`${index} begins `),
        gate("crowd"),
        text(`${index} ends`),
      ]);
      const turnId = await own.say(`SCENARIO:crowd-${index}`);
      await own.until("delta", ({ data }) => data.text.includes("begins"));
      return turnId;
    }),
  );
  expect(await livingServers()).toHaveLength(1);
  place.standin.release("crowd");
  const heard = await Promise.all(
    sessions.map(async (own, index) => spoken(await own.ended(turnIds[index] ?? ""))),
  );
  expect(heard).toEqual(sessions.map((_, index) => `${index} says. ${index} begins ${index} ends`));
}, 60_000);

test("no process is left when the host is closed in the middle of turns", async () => {
  const host = openHost();
  const sessions = await Promise.all([1, 2].map(() => AgentSession.create(host)));
  await Promise.all(
    sessions.map(async (own, index) => {
      await own.say(`SCENARIO:hold open-${index}`);
      await place.standin.reached(`open-${index}`);
    }),
  );
  await host.close();
  expect(await livingServers()).toEqual([]);
});
