/**
 * Claude through Turnwire beside the bare SDK, turn by turn in the same run, both with the real CLI
 * against a stand-in that answers at once; then the first text of new sessions, and memory.
 */
import { claude } from "@turnwire/runtime-claude";
import { createMemoryStore, createSessionHost } from "@turnwire/server";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { agentMemory } from "./claude/agent-memory.ts";
import { BareSession, type TurnTime, TurnwireSession } from "./claude/agent-turn.ts";
import { startStandinProcess } from "./standin-process.ts";
import { median, note, percentile, publish, type Row, round } from "./report.ts";

const turns = 60;
const starts = 5;
const sleepers = 20;
const prompt = "SCENARIO:text Just a few words.";

const directory = mkdtempSync(join(tmpdir(), "turnwire-bench-claude-"));
const cwd = join(directory, "project");
mkdirSync(cwd);
process.env["CLAUDE_CONFIG_DIR"] = join(directory, "config");
const standin = await startStandinProcess("anthropic");
const env = {
  HOME: directory,
  ANTHROPIC_BASE_URL: standin.url,
  ANTHROPIC_API_KEY: "dummy",
  CLAUDE_CONFIG_DIR: join(directory, "config"),
  CLAUDE_CODE_TMPDIR: join(directory, "tmp"),
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
};

const latency = await measureTurns();
const firstText = [await measureStarts("cold", 0), await measureStarts("ready ahead", 1)];
const memory = await measureMemory();
standin.close();
rmSync(directory, { recursive: true, force: true });
publish("claude", [
  { title: `A turn of a live session, ${turns} each, by turns (ms)`, rows: latency },
  { title: `The first text of a new session, ${starts} each (ms)`, rows: firstText },
  { title: "Memory (MB)", rows: memory },
]);
process.exit(0);

function openHost(warmProcesses: number) {
  const runtime = claude({ env, model: "claude-opus-5-5", warmProcesses });
  return createSessionHost({
    store: createMemoryStore(),
    runtimes: [runtime],
    defaultRuntime: "claude",
    roots: [cwd],
    maxLiveRuns: 64,
    onError: (error) => note(String(error)),
  });
}

async function measureTurns(): Promise<Row[]> {
  note("turns");
  const host = openHost(0);
  const bare = new BareSession(cwd, env);
  const through = await TurnwireSession.create(host);
  const times: { bare: TurnTime[]; turnwire: TurnTime[] } = { bare: [], turnwire: [] };
  for (let count = 0; count < turns + 6; count += 1) {
    // By turns who goes first: a process still works a little after its turn.
    const first = count % 2 === 0 ? await bare.turn(prompt) : undefined;
    const turnwire = await through.turn(prompt);
    const alone = first ?? (await bare.turn(prompt));
    // The first turns of a process are slower.
    if (count < 6) continue;
    times.bare.push(alone);
    times.turnwire.push(turnwire);
  }
  bare.close();
  await host.close();
  const [bareRow, throughRow] = [rowOf("bare SDK", times.bare), rowOf("Turnwire", times.turnwire)];
  const p50 = median(
    times.turnwire.map(({ endMs }, index) => endMs - (times.bare[index]?.endMs ?? 0)),
  );
  return [bareRow, throughRow, { way: "overhead, median of pairs", endP50: round(p50, 2) }];
}

function rowOf(way: string, times: readonly TurnTime[]): Row {
  const ends = times.map(({ endMs }) => endMs).toSorted((left, right) => left - right);
  return {
    way,
    firstTextP50: round(median(times.map(({ firstTextMs }) => firstTextMs)), 2),
    endP50: round(percentile(ends, 0.5), 2),
    endP95: round(percentile(ends, 0.95), 2),
  };
}

async function measureStarts(way: string, warmProcesses: number): Promise<Row> {
  note(`first text, ${way}`);
  const host = openHost(warmProcesses);
  const times: number[] = [];
  for (let count = 0; count < starts + 1; count += 1) {
    const session = await TurnwireSession.create(host);
    const { firstTextMs } = await session.turn(prompt);
    // The first of all finds nothing ready.
    if (count > 0) times.push(firstTextMs);
    await session.session.hibernate();
    // Where one is started ahead, it has this long; the other way gets the same pause.
    await setTimeout(3000);
  }
  await host.close();
  return { way, p50: round(median(times), 0), max: round(Math.max(...times), 0) };
}

async function measureMemory(): Promise<Row[]> {
  note("memory");
  const host = openHost(0);
  const before = heapMb();
  const sessions: TurnwireSession[] = [];
  const live: number[] = [];
  for (let count = 0; count < sleepers; count += 1) {
    const session = await TurnwireSession.create(host);
    await session.turn(prompt);
    live.push(...agentMemory());
    await session.session.hibernate();
    sessions.push(session);
  }
  const hibernated = (heapMb() - before) / sleepers;
  const processes = agentMemory().length;
  await host.close();
  return [
    { what: "live session: its process (PSS)", each: round(median(live), 1) },
    { what: "hibernated session: server heap", each: round(hibernated, 3) },
    { what: "hibernated sessions: processes left", each: processes },
  ];
}

function heapMb(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}
