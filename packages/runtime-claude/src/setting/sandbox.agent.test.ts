import { text, toolUse } from "@turnwire/conformance/anthropic-standin";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { AgentSession } from "../../../runtime/src/test-support/agent-session.ts";
import { sandboxProblem } from "./sandbox.ts";
import { useClaudePlace } from "../test-support/claude-place.ts";
import { openClaudeHost } from "../test-support/claude-session.ts";

const problem = await sandboxProblem();
/** Where it is missing, the lane says what to install instead of failing. */
const missing = problem === undefined ? "" : ` (skipped: ${problem})`;

const place = useClaudePlace({
  scenarios: {
    run: ({ argument, round }) =>
      round === 0
        ? [toolUse("Bash", { command: argument, dangerouslyDisableSandbox: true })]
        : [text("Done.")],
  },
});
let host: SessionHost;
let outside: string;

beforeAll(async () => {
  host = openClaudeHost(place);
  // Not under the system's temporary directory, which a sandbox may let commands write to.
  outside = await mkdtemp(join("/var/tmp", "turnwire-sandbox-"));
});

afterAll(async () => {
  await host.close();
  await rm(outside, { recursive: true, force: true });
});

async function runIn(network: boolean, command: string) {
  const own = await AgentSession.create(host, { sandbox: { network } });
  const turnId = await own.say(`SCENARIO:run ${command}`);
  const events = await own.decide(turnId, { behavior: "allow" });
  const result = events.find((event) => event.type === "tool_result");
  return { own, result: result?.data };
}

describe.skipIf(problem !== undefined)(`a command of Claude in the sandbox${missing}`, () => {
  test("writes inside its directory, and nowhere else, also where a person allowed it", async () => {
    const inside = join(place.cwd, "inside.txt");
    const canary = join(outside, "canary.txt");
    const { own } = await runIn(false, `touch ${inside}; touch ${canary}`);
    expect(existsSync(inside)).toBe(true);
    expect(existsSync(canary)).toBe(false);
    const ready = await own.until("session_ready");
    expect(ready.data.sandbox).toEqual({ kind: "commands", network: false });
    expect(own.session.control.session.sandbox).toEqual({ kind: "commands", network: false });
  });

  test("reaches no address without network", async () => {
    const before = place.standin.requests.length;
    const script = `fetch('${place.standin.url}/canary').then(() => console.log('REACHED'), () => console.log('CUT OFF'))`;
    const { result } = await runIn(false, `node -e "${script}"`);
    expect(JSON.stringify(result?.output)).not.toContain("REACHED");
    const seen = place.standin.requests.slice(before).map(({ path }) => path);
    expect(seen.filter((path) => path.includes("canary"))).toEqual([]);
  });
});
