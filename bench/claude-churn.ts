/**
 * Twenty Claude sessions at a time, each made, used and closed, over and over for a minute: counts
 * the ends of turns, the processes that are left, and what the server's heap has grown by.
 */
import { claude } from "@turnwire/runtime-claude";
import { createMemoryStore, createSessionHost } from "@turnwire/server";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentMemory } from "./claude/agent-memory.ts";
import { TurnwireSession } from "./claude/agent-turn.ts";
import { startStandinProcess } from "./standin-process.ts";
import { note, publish, round } from "./report.ts";

const parallel = 20;
const churnMs = 60_000;
const principal = { id: "bench", isAdmin: true };

const directory = mkdtempSync(join(tmpdir(), "turnwire-bench-churn-"));
const cwd = join(directory, "project");
mkdirSync(cwd);
process.env["CLAUDE_CONFIG_DIR"] = join(directory, "config");
const standin = await startStandinProcess("anthropic");
const runtime = claude({
  model: "claude-opus-5-5",
  env: {
    HOME: directory,
    ANTHROPIC_BASE_URL: standin.url,
    ANTHROPIC_API_KEY: "dummy",
    CLAUDE_CODE_TMPDIR: join(directory, "tmp"),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  },
});
const errors: unknown[] = [];
const host = createSessionHost({
  store: createMemoryStore(),
  runtimes: [runtime],
  defaultRuntime: "claude",
  roots: [cwd],
  maxLiveRuns: parallel,
  onError: (error) => errors.push(error),
});

let turns = 0;
let ends = 0;
await playOne();
const before = heapMb();
const until = performance.now() + churnMs;
await Promise.all(Array.from({ length: parallel }, () => churn()));
const grownMb = heapMb() - before;
const left = agentMemory().length;
await host.close();
standin.close();
rmSync(directory, { recursive: true, force: true });
for (const error of errors) note(String(error));
publish("claude-churn", [
  {
    title: `${parallel} sessions at a time, for ${churnMs / 1000} s`,
    rows: [
      { what: "turns begun", count: turns },
      { what: "ends of turns", count: ends },
      { what: "processes left", count: left },
      { what: "errors reported", count: errors.length },
      { what: "server heap grown by (MB)", count: round(grownMb, 2) },
    ],
  },
]);
process.exit(0);

async function churn(): Promise<void> {
  while (performance.now() < until) await playOne();
}

async function playOne(): Promise<void> {
  const own = await TurnwireSession.create(host);
  for (const prompt of ["SCENARIO:text one", "SCENARIO:tool echo two"]) {
    turns += 1;
    await own.turn(prompt);
  }
  const stored = await own.session.log.read(0, Number.MAX_SAFE_INTEGER, Infinity);
  ends += stored.filter(({ type }) => type === "done").length;
  await host.delete(own.session.id, principal);
}

function heapMb(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}
