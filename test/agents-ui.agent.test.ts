/** agents-ui follows real agents over our relay, whatever they are. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { claudeCli } from "@turnwire/runtime-claude";
import type { Runtime } from "@turnwire/runtime";
import { expect, test } from "vitest";
import { useClaudePlace } from "../packages/runtime-claude/src/test-support/claude-place.ts";
import { useCodexPlace } from "../packages/runtime-codex/src/test-support/codex-place.ts";
import { startRelay } from "../packages/wire-relay/src/test-support/relay-client.ts";
import { AgentsUiFrontEnd, type AgentsUiTab } from "./support/agents-ui-front-end.ts";

const claude = useClaudePlace();
const codex = useCodexPlace();

interface Agent {
  readonly name: string;
  readonly create: () => { readonly runtime: Runtime; readonly cwd: string };
}

const agents: readonly Agent[] = [
  { name: "Codex", create: () => ({ runtime: codex.createRuntime(), cwd: codex.cwd }) },
  {
    name: "the claude program over its pipes",
    create: () => ({
      runtime: claudeCli({ env: claude.env, model: "claude-opus-5-5" }),
      cwd: claude.cwd,
    }),
  },
];

test.each(agents)("agents-ui follows $name and decides what it may do", async ({ create }) => {
  const { runtime, cwd } = create();
  const running = await startRelay({
    auth: { type: "off" },
    hostOptions: { runtimes: [runtime], defaultRuntime: runtime.name, roots: [cwd] },
  });
  const frontEnd = await AgentsUiFrontEnd.open(running.relayUrl);
  const id = await running.createSession({ cwd });
  const prompt = async (message: string): Promise<void> => {
    const answer = await running.request(`/sessions/${id}/message`, { json: { message } });
    expect(answer.status).toBe(202);
  };
  const completed = (turns: number): Promise<AgentsUiTab> =>
    frontEnd.until(() => {
      const tab = frontEnd.tab(id);
      return tab && tab.completedTurns >= turns ? tab : undefined;
    });

  await prompt("SCENARIO:text hello over the relay");
  const told = await completed(1);
  expect(told.messages.join("")).toBe("hello over the relay");

  await prompt("SCENARIO:tool touch allowed.txt");
  const card = await frontEnd.until(() => frontEnd.tab(id)?.approvals[0]);
  expect(card.command).toContain("touch allowed.txt");
  expect(existsSync(join(cwd, "allowed.txt"))).toBe(false);
  frontEnd.answer(card, true);
  const worked = await completed(2);
  expect(existsSync(join(cwd, "allowed.txt"))).toBe(true);
  expect(worked.toolCalls.length).toBe(1);
  expect(worked.toolResults.length).toBe(1);

  await prompt("SCENARIO:tool touch denied.txt");
  const second = await frontEnd.until(() => frontEnd.tab(id)?.approvals[1]);
  frontEnd.answer(second, false);
  await completed(3);
  expect(existsSync(join(cwd, "denied.txt"))).toBe(false);

  const late = await AgentsUiFrontEnd.open(running.relayUrl);
  const again = await late.until(() => {
    const tab = late.tab(id);
    return tab && tab.toolResults.length === 2 ? tab : undefined;
  });
  expect(again.messages[0]).toBe("hello over the relay");
  expect(frontEnd.tabs.length).toBe(1);
});
