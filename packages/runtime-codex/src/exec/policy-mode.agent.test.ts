import { existsSync } from "node:fs";
import { join } from "node:path";
import { call, gate, text } from "@turnwire/conformance/openai-standin";
import { createMemoryStore } from "@turnwire/log";
import { parsePolicy } from "@turnwire/policy";
import { describe, expect, onTestFinished, test } from "vitest";
import { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { AgentSession, ending } from "../../../runtime/src/test-support/agent-session.ts";
import { useCodexPlace } from "../test-support/codex-place.ts";

const place = useCodexPlace();

const policy = parsePolicy({
  version: 1,
  modes: { reader: { extends: "unrestricted", write: { inside: "deny", outside: "deny" } } },
});

function openHost(): SessionHost {
  const host = new SessionHost({
    store: createMemoryStore(),
    runtimes: [place.createExecRuntime()],
    defaultRuntime: "codex-exec",
    roots: [place.cwd],
    policy: { current: () => ({ policy }) },
  });
  onTestFinished(() => host.close());
  return host;
}

const fullAccess = { permission_mode: "full-access" };

describe("codex exec under a policy mode", () => {
  test.each(["planner", "implementation"])(
    "is refused where the mode %s needs more than the sandbox, with the way out",
    async (mode) => {
      const host = openHost();
      const creation = AgentSession.create(host, { ...fullAccess, policy_mode: mode });
      await expect(creation).rejects.toThrow(`cannot hold the policy mode ${mode}`);
      // One that gets the mode later is refused its turns.
      const session = await AgentSession.create(host, fullAccess);
      await session.execute({ type: "set_policy_mode", mode });
      await session.execute({ type: "user_message", content: "SCENARIO:tool touch needed.txt" });
      const { data } = await session.until("error");
      expect(data.message).toContain(`cannot hold the policy mode ${mode}`);
      expect(data.message).toContain("Use the runtime codex");
      expect(existsSync(join(place.cwd, "needed.txt"))).toBe(false);
    },
  );

  test("is held by the sandbox, also with full access, where that is enough", async () => {
    const creation = { ...fullAccess, policy_mode: "reader" };
    const session = await AgentSession.create(openHost(), creation);
    const events = await session.turn("SCENARIO:tool touch canary.txt");
    expect(ending(events)).toMatchObject({ results: ["success"] });
    expect(existsSync(join(place.cwd, "canary.txt"))).toBe(false);
    await session.execute({ type: "set_policy_mode", mode: "unrestricted" });
    await session.turn("SCENARIO:tool touch canary.txt");
    expect(existsSync(join(place.cwd, "canary.txt"))).toBe(true);
  });

  test("ends a running turn that began with more than a new mode allows", async () => {
    const session = await AgentSession.create(openHost(), fullAccess);
    place.standin.scenario("running", ({ round }) => {
      if (round === 0) return [call("exec_command", { cmd: "true" })];
      if (round < 20) return [gate("mode-set"), call("exec_command", { cmd: "true" })];
      return [text("That was all.")];
    });
    const turnId = await session.say("SCENARIO:running");
    await place.standin.reached("mode-set");
    await session.execute({ type: "set_policy_mode", mode: "reader" });
    place.standin.release("mode-set");
    const events = await session.ended(turnId);
    expect(ending(events)).toMatchObject({ results: ["interrupted"], isStopped: true });
    expect(JSON.stringify(events)).toContain("the policy mode was changed");
  });
});
