import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { runCli } from "./cli.ts";
import type { StopSignal } from "./program/context.ts";

const signals: readonly StopSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"];

// A reader that has had enough, such as `head`, is not a failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  process.exit(error.code === "EPIPE" ? 0 : 1);
});

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  home: homedir(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  onSignal(listener) {
    for (const signal of signals) process.on(signal, listener);
    return () => {
      for (const signal of signals) process.off(signal, listener);
    };
  },
  exit: (code) => process.exit(code),
  createRuntimes: async (place) =>
    (await import("./server/runtime-catalog.ts")).createRuntimes(place),
  webRoot: findWebRoot(),
});

/** The built web app; undefined in a repository where it is not built. */
function findWebRoot(): string | undefined {
  const manifest = createRequire(import.meta.url).resolve("@turnwire/web/package.json");
  const root = join(dirname(manifest), "dist");
  return existsSync(join(root, "index.html")) ? root : undefined;
}
