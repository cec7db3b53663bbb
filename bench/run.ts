/** Runs all benches in turn, or those named, each in a process of its own; `--json FILE` keeps what they found. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { textOf, type Report } from "./report.ts";

const benches = [
  "fan-out",
  "reconnect-storm",
  "replay",
  "sessions",
  "fixed-rate",
  "stalled-reader",
  "large-results",
  "append",
  "hosts",
  "fold",
  "line-splitter",
  "markdown",
  "policy",
  "web",
  "claude",
  "claude-churn",
  "codex",
];

const { values, positionals } = parseArgs({
  options: { json: { type: "string" } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !benches.includes(name));
if (unknown.length > 0) {
  console.error(`there is no bench ${unknown.join(", ")}; there are ${benches.join(", ")}`);
  process.exit(2);
}

const reports: Report[] = [];
for (const name of positionals.length > 0 ? positionals : benches) {
  const report = await run(name);
  if (report) {
    reports.push(report);
    console.log(textOf(report));
  } else {
    console.error(`${name} failed`);
    process.exitCode = 1;
  }
}
if (values.json !== undefined)
  await writeFile(values.json, `${JSON.stringify(reports, null, 2)}\n`);

/** Undefined when the bench failed; what went wrong it has said by itself. */
async function run(name: string): Promise<Report | undefined> {
  const file = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [...process.execArgv, file, "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return code === 0 ? (JSON.parse(output) as Report) : undefined;
}
