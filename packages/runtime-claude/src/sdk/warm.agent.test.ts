import type { CatalogEntry } from "@turnwire/protocol";
import { expect, onTestFinished, test } from "vitest";
import { livingAgents, useClaudePlace } from "../test-support/claude-place.ts";
import { ClaudeSession, ending, openClaudeHost } from "../test-support/claude-session.ts";

const place = useClaudePlace();

const chart: CatalogEntry = {
  name: "chart",
  description: "Numbers as bars",
  props_schema: { type: "object" },
  surfaces: ["chat"],
};

/** A host with a session that works and a process that waits for the next one. */
async function openWithSpare() {
  const host = openClaudeHost(place, { warmProcesses: 1 });
  onTestFinished(() => host.close());
  const first = await ClaudeSession.create(host, {});
  await first.session.wake();
  const [own] = await livingAgents();
  // The first turn's end starts the next process.
  await first.turn("SCENARIO:text first");
  const others = async () => (await livingAgents()).filter((pid) => pid !== own);
  await expect.poll(others).toHaveLength(1);
  const [spare = 0] = await others();
  return { host, first, spare };
}

test("a session that gets a process started ahead is offered its catalog with its first message", async () => {
  const { host, spare } = await openWithSpare();
  const second = await ClaudeSession.create(host, { catalog: [chart] });
  await second.turn("SCENARIO:text second");
  // With its tools where the CLI lists them again in time, else in words.
  const sent = JSON.stringify(place.standin.requests.at(-1)?.body);
  expect(sent.includes("Numbers as bars")).toBe(true);
  expect(await livingAgents()).toContain(spare);
});

test("a process that died while it waited costs the next session nothing, and is replaced", async () => {
  const { host, first, spare } = await openWithSpare();
  process.kill(spare, "SIGKILL");
  const second = await ClaudeSession.create(host, { catalog: [chart] });
  expect(ending(await second.turn("SCENARIO:text second")).results).toEqual(["success"]);
  await expect.poll(livingAgents).not.toContain(spare);
  await first.turn("SCENARIO:text third");
  await expect.poll(livingAgents).toHaveLength(3);
});
