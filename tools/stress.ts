import { fork, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { failedTests, flakyTests, type FailedTest, type TestReport } from "./stress/flaky-test.ts";

const help = `Usage: npm run test:stress [-- OPTIONS] [FILES]

Repeats the default suite, each time in another order and beside busy loops,
and lists each test that failed at least once. FILES are parts of paths.

  --repeat N        how often (default 10)
  --load N          busy loops (default: as many as there are cores)
  --seed N          the first order; each repetition adds one (default: a random one)
  --project NAME    only these lanes, for instance browser (may be repeated)`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    repeat: { type: "string", default: "10" },
    load: { type: "string", default: String(availableParallelism()) },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
    project: { type: "string", multiple: true, default: ["!long-*"] },
    help: { type: "boolean", default: false },
  },
});

function countFrom(name: "repeat" | "load" | "seed"): number {
  const count = Number(values[name]);
  if (Number.isInteger(count) && count >= 0) return count;
  console.error(`--${name}: expected a whole number, got ${values[name]}.\n\n${help}`);
  process.exit(2);
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));

interface Repetition {
  readonly seed: number;
  readonly failed: readonly FailedTest[];
}

async function repeat(seed: number, directory: string): Promise<Repetition> {
  const outputFile = join(directory, `${seed}.json`);
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const args = [
    "run",
    ...values.project.map((name) => `--project=${name}`),
    "--reporter=./test/reporter/run-reporter.ts",
    "--reporter=json",
    `--outputFile.json=${outputFile}`,
    ...positionals,
  ];
  const env = { ...process.env, TURNWIRE_STRESS_SEED: String(seed) };
  const child = spawn(process.execPath, [vitest, ...args], { cwd: root, env, stdio: "inherit" });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  const report = JSON.parse(await readFile(outputFile, "utf8")) as TestReport;
  const failed = failedTests(report, root);
  if (code === 0 || failed.length > 0) return { seed, failed };
  return { seed, failed: [{ path: "vitest", name: "(the run)", message: `exit code ${code}` }] };
}

async function main(): Promise<void> {
  const [times, load, firstSeed] = [countFrom("repeat"), countFrom("load"), countFrom("seed")];
  const directory = await mkdtemp(join(tmpdir(), "turnwire-stress-"));
  const loop = fileURLToPath(new URL("./stress/busy-loop.mjs", import.meta.url));
  const loops = Array.from({ length: load }, () => fork(loop));
  const runs: Repetition[] = [];
  try {
    for (let index = 0; index < times; index += 1) {
      const seed = firstSeed + index;
      console.log(`\nRepetition ${index + 1} of ${times}, seed ${seed}, ${load} busy loops`);
      runs.push(await repeat(seed, directory));
    }
  } finally {
    for (const child of loops) child.kill();
    await rm(directory, { recursive: true, force: true });
  }
  const flaky = flakyTests(runs);
  for (const { path, name, message, seeds } of flaky) {
    console.log(`\n${path} > ${name}\n  ${message}`);
    console.log(`  failed in ${seeds.length} of ${times}, with seed ${seeds.join(", ")}`);
  }
  console.log(`\n${times} repetitions, ${flaky.length} tests failed at least once`);
  process.exitCode = flaky.length === 0 ? 0 : 1;
}

if (values.help) console.log(help);
else await main();
