import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  allCommands,
  noContainment,
  patientPolicy,
  skipText,
} from "../../../runtime/src/test-support/confined-project.ts";
import { claudeCli } from "../cli/runtime.ts";
import { openCliHost } from "../cli/test-support/cli-host.ts";
import { useClaudePlace } from "../test-support/claude-place.ts";
import { openClaudeHost } from "../test-support/claude-session.ts";
import { ContainedLife } from "../test-support/contained-life.ts";

const place = useClaudePlace();
const policy = { current: () => ({ policy: patientPolicy }) };
let life: ContainedLife;

beforeAll(() => {
  life = new ContainedLife(place);
});

const permissionModes = ["default", "acceptEdits", "bypassPermissions"] as const;
const policyModes = [
  "planner",
  "believing-planner",
  "implementation",
  "believing-implementation",
] as const;
const agents = ["claude", "claude-cli"] as const;

const contained = agents.flatMap((agent) =>
  permissionModes.flatMap((mode) => policyModes.map((name) => [agent, mode, name] as const)),
);

function openHost(agent: (typeof agents)[number], unheld = {}) {
  const options = { env: { ...place.env, IS_SANDBOX: "1" }, ...unheld };
  const host =
    agent === "claude"
      ? openClaudeHost(place, options, { policy })
      : openCliHost(place, { runtimes: [claudeCli(options)], policy });
  onTestFinished(() => host.close());
  return host;
}

/** The leaks of a turn, with the files before and after it: those of the project too, where nothing may change there. */
async function runAll(
  host: ReturnType<typeof openHost>,
  modes: { readonly permission_mode: string; readonly policy_mode: string },
) {
  const isPlanner = modes.policy_mode.includes("planner");
  const look = () => (isPlanner ? life.project.everything() : life.project.outsideAndGit());
  const before = look();
  const { leaks } = await life.run(host, modes, allCommands(place.env["HOME"] ?? ""));
  return { leaks, before, after: look() };
}

describe.skipIf(noContainment !== undefined)(`with containment${skipText}`, () => {
  test.each(contained)("%s in %s keeps the mode %s", async (agent, mode, name) => {
    const modes = { permission_mode: mode, policy_mode: name };
    const { leaks, before, after } = await runAll(openHost(agent), modes);
    expect([leaks, after]).toEqual([[], before]);
  });
});

describe("without containment", () => {
  const alone = contained.filter(([, , name]) => !name.startsWith("believing"));
  test.each(alone)("%s in %s keeps the mode %s", async (agent, mode, name) => {
    const unheld = { containment: { problem: "bubblewrap is not installed." } };
    const modes = { permission_mode: mode, policy_mode: name };
    const { leaks, before, after } = await runAll(openHost(agent, unheld), modes);
    expect([leaks, after]).toEqual([[], before]);
  });
});
