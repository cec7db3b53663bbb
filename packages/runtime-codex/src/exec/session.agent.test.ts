import { checkGrammar, type SessionEvent } from "@turnwire/protocol";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createMemoryStore } from "@turnwire/log";
import { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { AgentSession, ending, spoken } from "../../../runtime/src/test-support/agent-session.ts";
import { remembered } from "../../../runtime/src/test-support/session-life.ts";
import { livingServers, useCodexPlace } from "../test-support/codex-place.ts";
import { loseThread } from "../test-support/codex-program.ts";
import { errorsIn } from "../test-support/model-failure.ts";

const place = useCodexPlace();

function openHost(): SessionHost {
  const host = new SessionHost({
    store: createMemoryStore(),
    runtimes: [place.createExecRuntime()],
    defaultRuntime: "codex-exec",
    roots: [place.cwd],
  });
  onTestFinished(() => host.close());
  return host;
}

function exitCodesIn(events: readonly SessionEvent[]) {
  return events.flatMap((event) => (event.type === "done" ? [event.data.exit_code] : []));
}

describe("a session of codex exec", () => {
  test("remembers its turns, also across a sleep, and holds no process between them", async () => {
    const own = await AgentSession.create(openHost());
    await own.turn("SCENARIO:text first");
    await own.turn("SCENARIO:text second");
    await own.session.hibernate();
    expect(await livingServers()).toEqual([]);
    expect(spoken(await own.turn("SCENARIO:text third"))).toBe("third");
    expect(remembered(place.standin)).toEqual(["first", "second", "third"]);
    expect(checkGrammar(await own.events())).toEqual([]);
  });

  test("counts what each turn used, though Codex counts the whole thread", async () => {
    const own = await AgentSession.create(openHost());
    const results = [];
    for (const words of ["first", "second"]) {
      const events = await own.turn(`SCENARIO:text ${words}`);
      results.push(...events.flatMap((event) => (event.type === "result" ? [event.data] : [])));
    }
    const [first, second] = results.map(({ usage }) => usage?.output_tokens);
    expect(first).toBeGreaterThan(0);
    expect(second).toBe(first);
  });

  test("runs commands within its sandbox and asks no one", async () => {
    const own = await AgentSession.create(openHost());
    await own.turn("SCENARIO:tool touch forbidden.txt");
    expect(existsSync(join(place.cwd, "forbidden.txt"))).toBe(false);
    await own.execute({ type: "set_permission_mode", mode: "workspace-write" });
    const events = await own.turn("SCENARIO:tool echo made > made.txt");
    expect(events.some(({ type }) => type === "permission_request")).toBe(false);
    expect(existsSync(join(place.cwd, "made.txt"))).toBe(true);
    expect(checkGrammar(await own.events())).toEqual([]);
  });

  test("shows thoughts, commands, changes and plans", async () => {
    const own = await AgentSession.create(openHost(), { permission_mode: "workspace-write" });
    const seen = new Set<string>();
    for (const scenario of ["thinking so", "write noted.txt", "plan", "tool echo hi"]) {
      for (const { type } of await own.turn(`SCENARIO:${scenario}`)) seen.add(type);
    }
    expect([...seen]).toEqual(
      expect.arrayContaining(["thinking", "tool_start", "tool_result", "plan", "usage"]),
    );
  });

  test("ends with its turn when a person stops it, and answers the next", async () => {
    const own = await AgentSession.create(openHost());
    await own.turn("SCENARIO:text first");
    const turnId = await own.say("SCENARIO:hold stopped");
    await place.standin.reached("stopped");
    await own.execute({ type: "interrupt" });
    expect(ending(await own.ended(turnId))).toMatchObject({
      results: ["interrupted"],
      isStopped: true,
    });
    expect(await livingServers()).toEqual([]);
    expect(spoken(await own.turn("SCENARIO:text second"))).toBe("second");
  });

  test.each([
    ["error 400", false],
    ["error 401", false],
    ["error 500", true],
  ])("says so when the model fails with %s, and answers the next", async (scenario, retryable) => {
    const own = await AgentSession.create(openHost());
    const failed = await own.turn(`SCENARIO:${scenario}`);
    expect(ending(failed)).toMatchObject({ isError: true, done: 1 });
    expect(errorsIn(failed)).toMatchObject([{ retryable }]);
    expect(exitCodesIn(failed)).toEqual([1]);
    const next = await own.turn("SCENARIO:text next");
    expect(spoken(next)).toBe("next");
    expect(exitCodesIn(next)).toEqual([0]);
  });

  test("continues from its own log where Codex has lost the thread, with a notice", async () => {
    const own = await AgentSession.create(openHost());
    await own.turn("SCENARIO:text first");
    const id = own.providerSessionId ?? "";
    await own.session.hibernate();
    await loseThread(place, id);
    const events = await own.turn("SCENARIO:text second");
    expect(spoken(events)).toBe("second");
    expect(remembered(place.standin)).toEqual(["first", "second"]);
    expect(events.find(({ type }) => type === "notice")).toMatchObject({
      data: { text: expect.stringContaining("starts a new one") },
    });
    expect(own.providerSessionId).not.toBe(id);
    await own.turn("SCENARIO:text third");
    expect(remembered(place.standin)).toEqual(["first", "second", "third"]);
  });

  test("shows what a command reads, also with its result", async () => {
    const own = await AgentSession.create(openHost());
    const events = await own.turn("SCENARIO:tool cat a.txt | head -3");
    const reading = { file_path: "a.txt", is_file_read: true };
    expect(events.find(({ type }) => type === "tool_start")).toMatchObject({ data: reading });
    expect(events.find(({ type }) => type === "tool_result")).toMatchObject({ data: reading });
  });

  test("never gives the whole machine by its params", async () => {
    const params = { sandbox: "danger-full-access" };
    await expect(AgentSession.create(openHost(), { params })).rejects.toThrow("full-access");
  });
});
