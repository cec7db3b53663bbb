import { rounds, text, toolUse } from "@turnwire/conformance/anthropic-standin";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  patientPolicy,
  noContainment,
  skipText,
} from "../../../runtime/src/test-support/confined-project.ts";
import { useClaudePlace } from "../test-support/claude-place.ts";
import { ClaudeSession, openClaudeHost } from "../test-support/claude-session.ts";
import { ContainedLife } from "../test-support/contained-life.ts";

const place = useClaudePlace();
const policy = { current: () => ({ policy: patientPolicy }) };
let life: ContainedLife;

beforeAll(() => {
  life = new ContainedLife(place);
});

function openHost(runtime: Parameters<typeof openClaudeHost>[1] = {}) {
  const env = { ...place.env, IS_SANDBOX: "1" };
  const host = openClaudeHost(place, { env, ...runtime }, { policy });
  onTestFinished(() => host.close());
  return host;
}

const unheld = { containment: { problem: "bubblewrap is not installed." } };

describe.skipIf(noContainment !== undefined)(`commands that a mode allows${skipText}`, () => {
  test("change nothing and read no secret under a planner that believes every command", async () => {
    const before = life.project.everything();
    const modes = { permission_mode: "bypassPermissions", policy_mode: "believing-planner" };
    const { decisions, leaks } = await life.run(openHost(), modes);
    expect([leaks, life.project.everything()]).toEqual([[], before]);
    const held = decisions.filter(({ verdict }) => verdict === "allow");
    expect(held.length).toBeGreaterThan(1);
    expect(new Set(held.map(({ containment }) => containment))).toEqual(
      new Set(["without_network"]),
    );
  });

  test("write in the project and nowhere else under an implementer that believes every command", async () => {
    const before = life.project.outsideAndGit();
    const modes = { permission_mode: "acceptEdits", policy_mode: "believing-implementation" };
    const { leaks } = await life.run(openHost(), modes);
    expect([leaks, life.project.outsideAndGit()]).toEqual([[], before]);
    expect(existsSync(join(place.cwd, "PWNED"))).toBe(true);
  });

  test("keep the agent's directory, run in the background, and are shown as the model wrote them", async () => {
    const host = openHost({ hookEvents: ["PostToolUse"] });
    const later = { command: "pwd; echo later", description: "d", run_in_background: true };
    const moved = { command: "mkdir -p moved && cd moved", description: "d" };
    place.standin.scenario(
      "moved",
      rounds([toolUse("Bash", moved)], [toolUse("Bash", later)], [text("Done.")]),
    );
    const modes = { permission_mode: "default", policy_mode: "believing-implementation" };
    const session = await ClaudeSession.create(host, modes);
    const turnId = await session.say("SCENARIO:moved");
    for (const command of [moved.command, later.command]) {
      const hook = await session.until("hook_request", ({ data }) =>
        JSON.stringify(data).includes(JSON.stringify(command).slice(1, -1)),
      );
      const { correlation_id } = hook.data;
      await session.execute({ type: "hook_response", correlation_id, decision: {} });
    }
    const events = await session.ended(turnId);
    const log = JSON.stringify(await session.events());
    expect(log).not.toContain("bwrap");
    expect(JSON.stringify(place.standin.requests.map(({ body }) => body))).not.toContain("bwrap");
    const starts = events.flatMap((event) => (event.type === "tool_start" ? [event.data] : []));
    expect(starts.map(({ input }) => input)).toEqual([moved, later]);
    expect(log).toContain(`${place.cwd}/moved`);
  });

  test("run as a person decided where one was asked, and the request states that", async () => {
    const command = `touch ${join(place.cwd, "..", "decided")}`;
    place.standin.scenario(
      "asked",
      rounds([toolUse("Bash", { command, description: "d" })], [text("Done.")]),
    );
    const modes = { permission_mode: "default", policy_mode: "believing-implementation" };
    const session = await ClaudeSession.create(openHost(), modes);
    const turnId = await session.say("SCENARIO:asked");
    expect((await session.asked(turnId)).policy).toMatchObject({ containment: "none" });
    await session.decide(turnId, { behavior: "allow" });
    expect(existsSync(join(place.cwd, "..", "decided"))).toBe(true);
  });
});

test("without containment a session states so from its beginning, and a mode allows only plain commands", async () => {
  const before = life.project.everything();
  const host = openHost(unheld);
  const modes = { permission_mode: "bypassPermissions", policy_mode: "planner" };
  const { decisions, leaks } = await life.run(host, modes);
  expect([leaks, life.project.everything()]).toEqual([[], before]);
  expect(decisions.map(({ verdict }) => verdict)).not.toContain("allow");
  const plain = await life.run(host, modes, ["cat a.txt"]);
  expect(plain.decisions).toMatchObject([{ verdict: "allow", containment: "none" }]);
  const session = await ClaudeSession.create(host, modes);
  const ready = await session.until("session_ready");
  expect(ready.data.capabilities.containment).toEqual({
    kind: "none",
    problem: "bubblewrap is not installed.",
  });
});
