import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

// Runs the checks that execute none of our code: all of them, also where one fails.

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Scripts of package.json, the long ones first. */
const checks = ["lint", "types", "dead-code", "format:check"];

function run(script: string): Promise<boolean> {
  const start = performance.now();
  const output: Buffer[] = [];
  const shell = process.platform === "win32";
  const child = spawn("npm", ["run", "--silent", script], { cwd: root, shell });
  child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => output.push(chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      console.log(`${code === 0 ? "ok" : "FAILED"} ${script} (${seconds} s)`);
      if (code !== 0) process.stdout.write(Buffer.concat(output));
      resolve(code === 0);
    });
  });
}

const waiting = [...checks];
let failures = 0;

async function work(): Promise<void> {
  for (let script = waiting.shift(); script !== undefined; script = waiting.shift())
    if (!(await run(script))) failures += 1;
}

await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
if (failures > 0) {
  console.log(`${failures} of ${checks.length} checks failed. Repeat one with: npm run <name>`);
  process.exitCode = 1;
}
