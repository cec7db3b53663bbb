import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { forgetMissingOutput } from "./build/packages.ts";
import { buildWeb } from "./build/web.ts";

/** Builds what `turnwire serve` needs, and of that only what has changed. */
const root = dirname(dirname(fileURLToPath(import.meta.url)));

function run(program: string, args: readonly string[], directory = root): void {
  const path = join(root, "node_modules", ".bin", program);
  const shell = process.platform === "win32";
  const { status, error } = spawnSync(path, args, { cwd: directory, stdio: "inherit", shell });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

forgetMissingOutput(root);
run("tsc", ["-b", "packages/cli", ...process.argv.slice(2)]);
buildWeb(root, () => {
  console.log("Building the web app…");
  run("vite", ["build", "--logLevel", "warn"], join(root, "apps", "web"));
});
