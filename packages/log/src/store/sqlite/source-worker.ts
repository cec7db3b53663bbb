import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type * as Esbuild from "esbuild";

let built: URL | undefined;

/**
 * The writer's thread for those who run from source, built once per process: Node 20 does not read
 * TypeScript, and a loader in the thread would take most of a second for each store.
 */
export function sourceWorker(): URL {
  built ??= build();
  return built;
}

function build(): URL {
  const { buildSync }: typeof Esbuild = createRequire(import.meta.url)("esbuild");
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL("./writer-worker.ts", import.meta.url))],
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["@turnwire/source"],
    external: ["libsql"],
    write: false,
  });
  const [output] = outputFiles;
  if (!output) throw new Error("esbuild gave no output for writer-worker.ts");
  // In a folder from which `libsql` is found. Processes that build at the same time give the same file.
  const directory = new URL("../../../node_modules/.cache/turnwire/", import.meta.url);
  const digest = createHash("sha256").update(output.contents).digest("hex").slice(0, 16);
  const file = new URL(`writer-worker-${digest}.mjs`, directory);
  if (existsSync(file)) return file;
  mkdirSync(directory, { recursive: true });
  const unfinished = new URL(`${digest}-${process.pid}.tmp`, directory);
  writeFileSync(unfinished, output.contents);
  renameSync(unfinished, file);
  return file;
}
