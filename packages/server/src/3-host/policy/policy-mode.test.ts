import { tmpdir } from "node:os";
import { parsePolicy } from "@turnwire/policy";
import { type CreateSession, draft } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { eventOf, readAll } from "../../test-support/log-reader.ts";
import { playTurn, reopen, say } from "../../test-support/played-session.ts";
import { ScriptedRuntime } from "../../test-support/scripted-runtime.ts";
import { admin, openTestHost } from "../../test-support/test-host.ts";
import type { SessionHost } from "../session-host.ts";
import type { Session } from "../../2-session/session.ts";

const ann = { id: "ann", isAdmin: false };

async function created(host: SessionHost, options: CreateSession = {}, by = ann): Promise<Session> {
  const result = await host.create(options, by);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

async function refusal(host: SessionHost, options: CreateSession, by = ann) {
  const result = await host.create(options, by);
  return result.ok ? "created" : result.error;
}

function setMode(session: Session, mode: string | null, by = ann) {
  return session.execute({ type: "set_policy_mode", mode }, by);
}

describe("the policy mode of a new session", () => {
  test("is none unless one is chosen or configured", async () => {
    const { host } = openTestHost();
    const plain = await created(host);
    expect(plain.info()).not.toHaveProperty("policy_mode");
    const chosen = await created(host, { policy_mode: "planner" });
    expect(chosen.info().policy_mode).toBe("planner");
    const [ready] = await readAll(chosen.log);
    expect(ready).toMatchObject({ type: "session_ready", data: { policy_mode: "planner" } });
    const configured = openTestHost({ defaultPolicyMode: "implementation" }).host;
    expect((await created(configured)).info().policy_mode).toBe("implementation");
  });

  test("must be one that there is: the error names the others", async () => {
    const { host } = openTestHost();
    expect(await refusal(host, { policy_mode: "reckless" }, admin)).toMatchObject({
      code: "unknown_policy_mode",
      message: expect.stringContaining("planner, implementation, unrestricted"),
      details: { policy_modes: ["planner", "implementation", "unrestricted"] },
    });
    expect(await refusal(host, { policy_mode: "constructor" }, admin)).toMatchObject({
      code: "unknown_policy_mode",
    });
  });

  test("is not looser than the server's default but for an admin", async () => {
    const { host } = openTestHost({ defaultPolicyMode: "implementation" });
    const loose = { code: "policy_loosening_not_allowed" };
    expect(await refusal(host, { policy_mode: "unrestricted" })).toMatchObject(loose);
    expect(await refusal(host, { policy_mode: null })).toMatchObject(loose);
    expect(await refusal(host, { policy_mode: "planner" })).toBe("created");
    expect(await refusal(host, { policy_mode: "unrestricted" }, admin)).toBe("created");
    const without = await created(host, { policy_mode: null }, admin);
    expect(without.info()).not.toHaveProperty("policy_mode");
  });

  test("without a default is what the runtime would not ask about, but for an admin", async () => {
    const { host } = openTestHost();
    const loose = { code: "policy_loosening_not_allowed" };
    expect(await refusal(host, { policy_mode: "implementation" })).toMatchObject(loose);
    expect(await refusal(host, { policy_mode: "planner" })).toBe("created");
    expect(await refusal(host, { policy_mode: "implementation" }, admin)).toBe("created");
  });

  test("needs a runtime that asks the gate, also where it is the server's default", async () => {
    const runtime = new ScriptedRuntime({ tool_policy: false });
    const { host } = openTestHost({ runtimes: [runtime] });
    expect(await refusal(host, { policy_mode: "planner" })).toMatchObject({
      code: "capability_missing",
      details: { capability: "tool_policy" },
    });
    const configured = openTestHost({ runtimes: [runtime], defaultPolicyMode: "planner" }).host;
    expect(await refusal(configured, {})).toMatchObject({ code: "capability_missing" });
    expect(await refusal(host, {})).toBe("created");
  });

  test("may be one of the directory's policy, which is read before", async () => {
    const policy = parsePolicy({ version: 1, modes: { reviewer: { extends: "planner" } } });
    const read: string[] = [];
    const source = {
      current: (cwd: string) =>
        read.includes(cwd) ? { policy } : { policy: parsePolicy({ version: 1, modes: {} }) },
      prepare: async (cwd: string) => void read.push(cwd),
    };
    const { host } = openTestHost({ policy: source });
    const session = await created(host, { policy_mode: "reviewer", cwd: tmpdir() }, admin);
    expect(session.info().policy_mode).toBe("reviewer");
  });
});

describe("a change of the policy mode", () => {
  test("is in the log with who made it, and null takes the policy away", async () => {
    const { host } = openTestHost();
    const session = await created(host, { policy_mode: "implementation" }, admin);
    expect(await setMode(session, "planner", admin)).toMatchObject({ ok: true });
    expect(await eventOf(session.log, "session_updated")).toMatchObject({
      data: { policy_mode: "planner", by: "admin" },
    });
    expect(session.info().policy_mode).toBe("planner");
    expect(await setMode(session, null, admin)).toMatchObject({ ok: true });
    expect(session.info()).not.toHaveProperty("policy_mode");
    expect(session.control.session).not.toHaveProperty("policy_mode");
  });

  test("that changes nothing writes nothing", async () => {
    const { host } = openTestHost();
    const session = await created(host, { policy_mode: "planner" });
    const head = session.log.head;
    expect(await setMode(session, "planner")).toMatchObject({ ok: true, value: { seq: head } });
    expect(session.log.head).toBe(head);
  });

  test("is for an admin where it is looser, alone or with other settings", async () => {
    const { host } = openTestHost({ defaultPolicyMode: "implementation" });
    const session = await created(host);
    const loose = { ok: false, error: { code: "policy_loosening_not_allowed" } };
    expect(await setMode(session, null)).toMatchObject(loose);
    expect(await setMode(session, "unrestricted")).toMatchObject(loose);
    expect(await setMode(session, "planner")).toMatchObject({ ok: true });
    // Back is looser again.
    expect(await setMode(session, "implementation")).toMatchObject(loose);
    const both = await session.update(
      [
        { type: "rename", title: "free" },
        { type: "set_policy_mode", mode: "implementation" },
      ],
      ann,
    );
    expect(both).toMatchObject(loose);
    expect(session.info()).not.toHaveProperty("title");
    expect(await setMode(session, "implementation", admin)).toMatchObject({ ok: true });
  });

  test("by two at once: each is judged against what the other left", async () => {
    const { host } = openTestHost({ defaultPolicyMode: "unrestricted" });
    const session = await created(host);
    const [first, second] = await Promise.all([
      setMode(session, "planner"),
      setMode(session, "implementation"),
    ]);
    expect(first).toMatchObject({ ok: true });
    expect(second).toMatchObject({ ok: false });
    expect(session.info().policy_mode).toBe("planner");
  });

  test("to one that there is not is refused, and the old one stays", async () => {
    const { host } = openTestHost();
    const session = await created(host, { policy_mode: "planner" });
    expect(await setMode(session, "reckless", admin)).toMatchObject({
      ok: false,
      error: { code: "unknown_policy_mode" },
    });
    expect(session.info().policy_mode).toBe("planner");
  });

  test("applies to the agent that runs, at its next call", async () => {
    const { host, runtime } = openTestHost();
    const session = await created(host, { policy_mode: "implementation" }, admin);
    await say(session, "go");
    const run = await runtime.run();
    await run.wasAsked("send");
    const judge = () => run.options.gate?.judge({ tool: "Bash", input: { command: "git add ." } });
    expect(await judge()).toMatchObject({ verdict: "allow", mode: "implementation" });
    await setMode(session, "planner", admin);
    expect(await judge()).toMatchObject({ verdict: "deny", mode: "planner" });
    await setMode(session, null, admin);
    expect(await judge()).toBeUndefined();
  });
});

describe("the policy mode of a session over its life", () => {
  test("survives the end of the process", async () => {
    const first = openTestHost();
    const session = await created(first.host, { policy_mode: "implementation" }, admin);
    await setMode(session, "planner", admin);
    await first.host.close();
    const second = openTestHost({ store: first.store });
    const again = await reopen(second.host, session.id);
    expect(again.info().policy_mode).toBe("planner");
    const { sessions } = await second.host.list({ principal: admin, limit: 10 });
    expect(sessions[0]?.policy_mode).toBe("planner");
    await say(again, "go");
    const run = await second.runtime.run();
    const decision = await run.options.gate?.judge({ tool: "Bash", input: { command: "rm x" } });
    expect(decision?.verdict).toBe("deny");
  });

  test("goes along with a copy, whoever makes it, and a copy is not a way to loosen", async () => {
    const { host, runtime } = openTestHost({ defaultPolicyMode: "planner" });
    const session = await created(host);
    await playTurn(session, runtime, "one");
    await setMode(session, "implementation", admin);
    const copied = await session.execute({ type: "fork" }, ann);
    expect(copied).toMatchObject({
      ok: true,
      value: { forked: { policy_mode: "implementation" } },
    });
    const id = copied.ok ? copied.value.forked?.session_id : undefined;
    const copy = await reopen(host, id ?? "");
    expect(await setMode(copy, null)).toMatchObject({ ok: false });
    await setMode(session, null, admin);
    const free = await session.execute({ type: "fork" }, ann);
    expect(free.ok && free.value.forked).not.toHaveProperty("policy_mode");
  });

  test("does not start an agent in a mode that is gone: the turn ends and says why", async () => {
    let modes: Record<string, object> = { reviewer: { extends: "planner" } };
    const source = { current: () => ({ policy: parsePolicy({ version: 1, modes }) }) };
    const { host, runtime } = openTestHost({ policy: source });
    const session = await created(host, { policy_mode: "reviewer" }, admin);
    modes = {};
    await say(session, "go");
    expect(await eventOf(session.log, "error")).toMatchObject({
      data: { message: expect.stringContaining("no mode reviewer") },
    });
    await eventOf(session.log, "done");
    expect(runtime.runs).toEqual([]);
    modes = { reviewer: { extends: "planner" } };
    await say(session, "again");
    await (await runtime.run()).wasAsked("send");
  });
});

describe("the turns that a mode allows an agent", () => {
  test("hold where the session says nothing, from the next turn on", async () => {
    const { host, runtime } = openTestHost();
    const session = await created(host, { policy_mode: "implementation" }, admin);
    await playTurn(session, runtime, "one");
    expect((await runtime.run(0)).options.maxTurns).toBe(100);
    await setMode(session, "planner", admin);
    await playTurn(session, runtime, "two");
    expect((await runtime.run(1)).options.maxTurns).toBe(30);
    await setMode(session, null, admin);
    await playTurn(session, runtime, "three");
    expect((await runtime.run(2)).options).not.toHaveProperty("maxTurns");
  });

  test("are what the session says where it does", async () => {
    const { host, runtime } = openTestHost();
    const session = await created(host, { policy_mode: "planner", max_turns: 7 }, admin);
    await playTurn(session, runtime, "one");
    expect((await runtime.run()).options.maxTurns).toBe(7);
  });

  test("are not passed to a runtime that cannot count them", async () => {
    const runtime = new ScriptedRuntime({ session_options: [] });
    const { host } = openTestHost({ runtimes: [runtime] });
    const session = await created(host, { policy_mode: "planner" });
    await playTurn(session, runtime, "one");
    expect((await runtime.run()).options).not.toHaveProperty("maxTurns");
  });
});

describe("an answer that allows", () => {
  async function asking(mode?: string, command = "make build") {
    const asked = draft("permission_request", {
      correlation_id: "ask-1",
      tool_use_id: "x",
      tool_name: "Bash",
      tool_input: { command },
    });
    const runtime = new ScriptedRuntime({ edit_tool_input: true });
    const { host } = openTestHost({ runtimes: [runtime] });
    const session = await created(host, mode === undefined ? {} : { policy_mode: mode }, admin);
    await say(session, "go");
    const run = await runtime.run();
    await run.wasAsked("send");
    run.say(asked);
    await eventOf(session.log, "permission_request");
    const allow = (input?: object, more: object = {}) =>
      session.execute(
        {
          type: "permission_response",
          correlation_id: "ask-1",
          behavior: "allow",
          ...(input && { updated_input: input as { command: string } }),
          ...more,
        },
        admin,
      );
    return { session, run, allow };
  }

  test("with an input that the policy denies is refused, and the request stays open", async () => {
    const { session, run, allow } = await asking("implementation");
    expect(await allow({ command: "git push --force" })).toMatchObject({
      ok: false,
      error: {
        code: "policy_denied",
        retryable: false,
        details: { id: "ask-1", rule: "git_overwrite", mode: "implementation" },
      },
    });
    expect(Object.keys(session.control.requests)).toEqual(["ask-1"]);
    expect(await allow({ command: "frobnicate it" })).toMatchObject({ ok: true });
    expect(await eventOf(session.log, "policy_decision")).toMatchObject({
      data: {
        tool_use_id: "x",
        verdict: "ask",
        mode: "implementation",
        reason: expect.stringContaining("frobnicate"),
      },
    });
    const { answer } = await run.wasAsked("answer");
    expect(answer).toMatchObject({ updated_input: { command: "frobnicate it" } });
    const types = (await readAll(session.log)).map(({ type }) => type);
    expect(types.indexOf("policy_decision")).toBe(types.indexOf("permission_resolved") - 1);
  });

  test("is refused when the mode denies it by now, as it was asked", async () => {
    const { session, allow } = await asking("implementation", "git add .");
    await setMode(session, "planner", admin);
    expect(await allow()).toMatchObject({
      error: { code: "policy_denied", details: { mode: "planner" } },
    });
    await setMode(session, "implementation", admin);
    expect(await allow()).toMatchObject({ ok: true });
    expect((await readAll(session.log)).some(({ type }) => type === "policy_decision")).toBe(false);
  });

  test("is taken as it is where the session has no policy", async () => {
    const { session, allow } = await asking();
    expect(await allow({ command: "git push --force" })).toMatchObject({ ok: true });
    expect((await readAll(session.log)).some(({ type }) => type === "policy_decision")).toBe(false);
  });

  test("a refusal by a person needs no policy", async () => {
    const { allow } = await asking("planner");
    expect(await allow(undefined, { behavior: "deny" })).toMatchObject({ ok: true });
  });
});
