import { rounds, text, toolUse } from "@turnwire/conformance/anthropic-standin";
import { afterAll, beforeAll, expect, test } from "vitest";
import { join } from "node:path";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { CanaryProject } from "../../../runtime/src/test-support/canary.ts";
import { useClaudePlace } from "../test-support/claude-place.ts";
import { ClaudeSession, openClaudeHost } from "../test-support/claude-session.ts";

const review = toolUse("Agent", {
  description: "look",
  prompt: "SCENARIO:text looked",
  subagent_type: "reviewer",
  run_in_background: false,
});
const place = useClaudePlace({ scenarios: { review: rounds([review], [text("Done.")]) } });
let host: SessionHost;

beforeAll(() => {
  host = openClaudeHost(place, { warmProcesses: 1 });
});
afterAll(() => host.close());

/** What the main agent and its sub-agent were sent in one turn. */
async function sentIn(own: ClaudeSession) {
  const before = place.standin.requests.length;
  await own.turn("SCENARIO:review");
  const requests = place.standin.requests.slice(before);
  const main = requests.filter(({ agentId }) => agentId === undefined);
  const helpers = requests.filter(({ agentId }) => agentId !== undefined);
  await own.session.hibernate();
  return { main: bodies(main), helper: bodies(helpers) };
}

function bodies(requests: readonly { readonly body: unknown }[]): string {
  return JSON.stringify(requests.map(({ body }) => body));
}

function toolsIn(text: string): string[] {
  return [...new Set(text.match(/"name":"(?:Bash|Edit|Write|Read)"/g) ?? [])].toSorted();
}

test("the model knows the default agents, which get their own instructions and tools, also in a process that was started ahead", async () => {
  const { main, helper } = await sentIn(await ClaudeSession.create(host));
  expect(main).toContain("Implements one well-defined change");
  expect(main).toContain("Reviews a change before it is accepted");
  expect(helper).toContain("You review a change that somebody else made");
  expect(toolsIn(helper)).toEqual(['"name":"Bash"', '"name":"Read"']);
  expect(toolsIn(main)).toContain('"name":"Write"');

  // The first turn's end has started a process for the next session.
  const second = await sentIn(await ClaudeSession.create(host));
  expect(second.helper).toContain("You review a change that somebody else made");
});

test("a definition of a trusted project comes before ours", async () => {
  const cwd = join(place.cwd, "theirs");
  const project = new CanaryProject(cwd, join(place.cwd, "..", "marks"));
  const definition = "---\nname: reviewer\ndescription: CANARY-theirs\n---\nCANARY-instructions";
  project.write(".claude/agents/any.md", definition);
  const untrusted = await sentIn(await ClaudeSession.create(host, { cwd }));
  expect(untrusted.main).not.toContain("CANARY");
  expect(untrusted.helper).toContain("You review a change that somebody else made");

  const { digest } = await host.trust.get(cwd);
  expect(await host.trust.set(cwd, digest)).toMatchObject({ ok: true });
  const trusted = await sentIn(await ClaudeSession.create(host, { cwd }));
  expect(trusted.main).toContain("CANARY-theirs");
  expect(trusted.main).toContain("Implements one well-defined change");
  expect(trusted.main).not.toContain("Reviews a change before it is accepted");
  expect(trusted.helper).toContain("CANARY-instructions");
});
