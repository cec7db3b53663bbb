import type { CatalogEntry } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { livingAgents, useClaudePlace } from "../test-support/claude-place.ts";
import { ClaudeSession, openClaudeHost } from "../test-support/claude-session.ts";

const place = useClaudePlace();

const chart: CatalogEntry = {
  name: "chart",
  description: "Numbers as bars",
  props_schema: { type: "object" },
  surfaces: ["chat"],
};

test("a session that gets a process started ahead is offered its catalog with its first message", async () => {
  const host = openClaudeHost(place, { warmProcesses: 1 });
  const first = await ClaudeSession.create(host, {});
  await first.session.wake();
  const [own] = await livingAgents();
  // The first turn's end starts the next process.
  await first.turn("SCENARIO:text first");
  const others = async () => (await livingAgents()).filter((pid) => pid !== own);
  await expect.poll(others).toHaveLength(1);
  const [spare] = await others();
  const second = await ClaudeSession.create(host, { catalog: [chart] });
  await second.turn("SCENARIO:text second");
  // With its tools where the CLI lists them again in time, else in words.
  const sent = JSON.stringify(place.standin.requests.at(-1)?.body);
  expect(sent.includes("Numbers as bars")).toBe(true);
  expect(await livingAgents()).toContain(spare);
  await host.close();
});
