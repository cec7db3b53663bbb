import { toolUse, rounds, text } from "@turnwire/conformance/anthropic-standin";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { useClaudePlace } from "../test-support/claude-place.ts";
import { AgentSession } from "../../../runtime/src/test-support/agent-session.ts";
import { openCliHost } from "./test-support/cli-host.ts";
import { claudeCli } from "./runtime.ts";

const touch = { command: "touch forbidden.txt", description: "d" };
const place = useClaudePlace({
  scenarios: { forbidden: rounds([toolUse("Bash", touch)], [text("Done.")]) },
});

test("a CLI that Turnwire starts itself asks the policy also where it asks no person", async () => {
  const env = { ...place.env, IS_SANDBOX: "1" };
  const host = openCliHost(place, { runtimes: [claudeCli({ env })] });
  onTestFinished(() => host.close());
  const session = await AgentSession.create(host, {
    permission_mode: "bypassPermissions",
    policy_mode: "planner",
  });
  const events = await session.turn("SCENARIO:forbidden");
  const decisions = events.flatMap(({ type, data }) => (type === "policy_decision" ? [data] : []));
  expect(decisions).toMatchObject([{ tool: "Bash", verdict: "deny" }]);
  expect(existsSync(join(place.cwd, "forbidden.txt"))).toBe(false);
});
