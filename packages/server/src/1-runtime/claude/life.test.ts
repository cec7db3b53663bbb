import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { SessionHost } from "../../2-session/session-host.ts";
import { createMemoryStore } from "../../2-session/store/memory.ts";
import { killAgents, livingAgents, useClaudePlace } from "./test-support/claude-place.ts";
import { ClaudeSession, ending, openClaudeHost, spoken } from "./test-support/claude-session.ts";

const place = useClaudePlace();

type HostParts = Parameters<typeof openClaudeHost>;

function openHost(runtime: HostParts[1] = {}, options: HostParts[2] = {}): SessionHost {
  const host = openClaudeHost(place, runtime, options);
  onTestFinished(() => host.close());
  return host;
}

/** What the model was told in its newest call, without the CLI's own words. */
function remembered(): string[] {
  const { body } = place.standin.requests.at(-1) ?? {};
  const said = JSON.stringify(body).matchAll(/SCENARIO:text (\w+)/g);
  return Array.from(said, (match) => match[1] ?? "");
}

describe("a session that sleeps", () => {
  test("holds no process, and goes on where it was", async () => {
    const own = await ClaudeSession.create(openHost());
    await own.turn("SCENARIO:text first");
    const id = own.providerSessionId;
    await own.session.hibernate();
    expect(await livingAgents()).toEqual([]);
    expect(ending(await own.turn("SCENARIO:text second")).results).toEqual(["success"]);
    expect(remembered()).toEqual(["first", "second"]);
    expect(own.providerSessionId).toBe(id);
  });

  test("goes on under another server", async () => {
    const store = createMemoryStore();
    const earlier = openHost({}, { store });
    const own = await ClaudeSession.create(earlier);
    await own.turn("SCENARIO:text first");
    await earlier.close();
    const later = await ClaudeSession.open(openHost({}, { store }), own.session.id);
    await later.turn("SCENARIO:text second");
    expect(remembered()).toEqual(["first", "second"]);
  });

  test("goes on after its process was killed while idle", async () => {
    const own = await ClaudeSession.create(openHost());
    await own.turn("SCENARIO:text first");
    await killAgents();
    await own.until("session_updated", ({ data }) => data.status === "hibernated");
    await own.turn("SCENARIO:text second");
    expect(remembered()).toEqual(["first", "second"]);
  });

  test("says so when the provider has lost it, and never starts afresh", async () => {
    const own = await ClaudeSession.create(openHost());
    await own.turn("SCENARIO:text first");
    await own.session.hibernate();
    await own.session.begin([
      {
        type: "session_updated",
        data: { provider_session_id: "11111111-1111-4111-8111-111111111111" },
      },
    ]);
    const events = await own.turn("SCENARIO:text second");
    const errors = events.flatMap((event) => (event.type === "error" ? [event.data.message] : []));
    expect(errors).toEqual([expect.stringContaining("could not go on")]);
    expect(spoken(events)).toBe("");
  });
});

describe("a fork", () => {
  test("takes along the turns up to the one that is named", async () => {
    const host = openHost();
    const own = await ClaudeSession.create(host);
    const turnId = await own.say("SCENARIO:text first");
    await own.ended(turnId);
    await own.turn("SCENARIO:text second");
    const { forked } = await own.execute({ type: "fork", turn_id: turnId });
    const copy = await ClaudeSession.open(host, forked?.session_id ?? "");
    expect(copy.providerSessionId).not.toBe(own.providerSessionId);
    await copy.turn("SCENARIO:text other");
    expect(remembered()).toEqual(["first", "other"]);
    await own.turn("SCENARIO:text third");
    expect(remembered()).toEqual(["first", "second", "third"]);
  });

  test("of a fork, and of all turns", async () => {
    const host = openHost();
    const own = await ClaudeSession.create(host);
    await own.turn("SCENARIO:text first");
    const { forked } = await own.execute({ type: "fork" });
    const copy = await ClaudeSession.open(host, forked?.session_id ?? "");
    await copy.turn("SCENARIO:text second");
    const again = await copy.execute({ type: "fork" });
    const second = await ClaudeSession.open(host, again.forked?.session_id ?? "");
    await second.turn("SCENARIO:text third");
    expect(remembered()).toEqual(["first", "second", "third"]);
  });
});

describe("a rollback", () => {
  test("makes the agent forget the turn and all after it, also across a sleep", async () => {
    const own = await ClaudeSession.create(openHost());
    await own.turn("SCENARIO:text first");
    const second = await own.say("SCENARIO:text second");
    await own.ended(second);
    await own.turn("SCENARIO:text third");
    await own.execute({ type: "rollback", turn_id: second });
    await own.session.hibernate();
    await own.turn("SCENARIO:text fourth");
    expect(remembered()).toEqual(["first", "fourth"]);
    await own.session.hibernate();
    await own.turn("SCENARIO:text fifth");
    expect(remembered()).toEqual(["first", "fourth", "fifth"]);
  });

  test("of all turns starts anew, also across a sleep", async () => {
    const own = await ClaudeSession.create(openHost());
    const first = await own.say("SCENARIO:text first");
    await own.ended(first);
    await own.execute({ type: "rollback", turn_id: first });
    await own.session.hibernate();
    await own.turn("SCENARIO:text second");
    expect(remembered()).toEqual(["second"]);
  });

  test("restores files where that is wanted", async () => {
    const own = await ClaudeSession.create(openHost(), { permission_mode: "acceptEdits" });
    await own.turn("SCENARIO:text first");
    const file = join(place.cwd, "restored.txt");
    const turnId = await own.say(`SCENARIO:write ${file}`);
    await own.ended(turnId);
    expect(existsSync(file)).toBe(true);
    await own.execute({ type: "rollback", turn_id: turnId, files: true });
    const { data } = await own.until("rolled_back");
    expect(data.files_restored).toEqual([file]);
    expect(existsSync(file)).toBe(false);
  });

  test("leaves files alone where it is not", async () => {
    const own = await ClaudeSession.create(openHost(), { permission_mode: "acceptEdits" });
    const file = join(place.cwd, "kept.txt");
    const turnId = await own.say(`SCENARIO:write ${file}`);
    await own.ended(turnId);
    await own.execute({ type: "rollback", turn_id: turnId });
    expect(existsSync(file)).toBe(true);
  });
});

test("compaction shortens what the agent remembers and is told", async () => {
  const own = await ClaudeSession.create(openHost());
  await own.turn("SCENARIO:text first");
  await own.execute({ type: "compact" });
  await own.until("compacted");
  expect(ending(await own.turn("SCENARIO:text second")).results).toEqual(["success"]);
  expect(JSON.stringify(place.standin.requests.at(-1)?.body)).toContain("What was said so far.");
});

test("two runs never write to one provider session", async () => {
  const runtime = place.createRuntime();
  const own = await ClaudeSession.create(openHost());
  await own.turn("SCENARIO:text first");
  await own.session.hibernate();
  const resume = own.providerSessionId ?? "";
  const options = { sessionId: "one", cwd: place.cwd, resume };
  const run = await runtime.createRun(options);
  onTestFinished(() => run.close());
  await expect(runtime.createRun({ ...options, sessionId: "two" })).rejects.toMatchObject({
    code: "resume_failed",
  });
  await run.close();
  const next = await runtime.createRun(options);
  await next.close();
});

test("a process that waits ready serves a new session, with its own prompt and mode", async () => {
  const host = openHost({ warmProcesses: 1 });
  const first = await ClaudeSession.create(host);
  await first.turn("SCENARIO:text first");
  await first.session.hibernate();
  const [spare] = await vi.waitUntil(async () => {
    const agents = await livingAgents();
    return agents.length === 1 && agents;
  });
  const second = await ClaudeSession.create(host, {
    system_prompt: "Speak like a pirate.",
    permission_mode: "acceptEdits",
  });
  const turnId = await second.say("SCENARIO:hold warm");
  await place.standin.reached("warm");
  expect(await livingAgents()).toEqual([spare]);
  expect(JSON.stringify(place.standin.requests.at(-1)?.body)).toContain("Speak like a pirate.");
  place.standin.release("warm");
  await second.ended(turnId);
  const events = await second.turn("SCENARIO:write warm.txt");
  expect(events.some(({ type }) => type === "permission_request")).toBe(false);
});

test("a hook waits for a person, who may forbid what it is about", async () => {
  const own = await ClaudeSession.create(openHost({ hookEvents: ["PreToolUse"] }));
  const turnId = await own.say("SCENARIO:tool echo hi");
  const { data } = await own.until("hook_request");
  expect(data.hook_event).toBe("PreToolUse");
  await own.execute({
    type: "hook_response",
    correlation_id: data.correlation_id,
    decision: {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "the hook says no",
      },
    },
  });
  expect(spoken(await own.ended(turnId))).toContain("the hook says no");
});

test("no process is left when the host is closed in the middle of turns", async () => {
  const host = openHost();
  const sessions = await Promise.all([1, 2].map(() => ClaudeSession.create(host)));
  await Promise.all(
    sessions.map(async (own, index) => {
      await own.say(`SCENARIO:hold open-${index}`);
      await place.standin.reached(`open-${index}`);
    }),
  );
  await host.close();
  expect(await livingAgents()).toEqual([]);
});
