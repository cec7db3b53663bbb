/**
 * Three hosts over one Postgres, many faults, and the check of all that clients saw:
 * `npm run chaos -- --faults 40 --seed 7`, or `--check FILE` for a history that was kept.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkHistory } from "./check-history.ts";
import { type FaultKind, faultKinds, type HistoryEntry } from "./history.ts";
import { readHistory, writeHistory } from "./history-file.ts";
import { summaryOf } from "./history-summary.ts";
import { type Hosts, startHosts } from "./hosts.ts";
import { Random } from "./random.ts";

const { values } = parseArgs({
  options: {
    faults: { type: "string", default: "40" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    sessions: { type: "string", default: "6" },
    lease: { type: "string", default: "3000" },
    kind: { type: "string", multiple: true },
    check: { type: "string" },
    keep: { type: "string" },
  },
});
const leaseMs = Number(values.lease);
/** The lease time plus one second. */
const takeoverMs = leaseMs + 1_000;

if (values.check === undefined) await run();
else report(await readHistory(values.check));

async function run(): Promise<void> {
  const seed = Number(values.seed);
  const directory = await mkdtemp(join(tmpdir(), "tw-"));
  console.log(`seed ${seed}; what the hosts log: ${directory}`);
  const hosts = await startHosts({ directory, leaseMs });
  const history = await runOn(hosts, seed);
  const file = values.keep ?? join(tmpdir(), `turnwire-history-${seed}.jsonl`);
  await writeHistory(file, history);
  console.log(`the history: ${file}`);
  report(history);
  if (process.exitCode === undefined) await rm(directory, { recursive: true });
}

async function runOn(hosts: Hosts, seed: number): Promise<readonly HistoryEntry[]> {
  try {
    return await hosts.runChaos({
      seed,
      sessions: Number(values.sessions),
      faults: faultsFor(new Random(seed), Number(values.faults)),
      note: (text) => console.log(text),
    });
  } finally {
    await hosts.close();
  }
}

/** Every kind about as often. */
function faultsFor(random: Random, count: number): FaultKind[] {
  const kinds = faultKinds.filter((kind) => values.kind?.includes(kind) ?? true);
  return Array.from({ length: count }, () => random.of(kinds));
}

function report(history: readonly HistoryEntry[]): void {
  console.log(summaryOf(history));
  const findings = checkHistory(history, { takeoverMs });
  for (const { broken, sessionId, message } of findings) {
    console.log(`${broken}${sessionId === undefined ? "" : ` in ${sessionId}`}: ${message}`);
  }
  console.log(findings.length === 0 ? "Every promise was kept." : `${findings.length} findings.`);
  if (findings.length > 0) process.exitCode = 1;
}
