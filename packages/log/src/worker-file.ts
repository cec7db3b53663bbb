import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type * as Esbuild from "esbuild";

const built = new Map<string, URL>();

export interface WorkerSource {
  /** `import.meta.url` of the module beside the worker. */
  readonly besides: string;
  /** The worker's file without its ending. */
  readonly name: string;
  /** Packages that are loaded, not built in. */
  readonly external?: readonly string[];
}

/**
 * The file of a worker thread. For those who run from source it is built once per process: Node 20
 * does not read TypeScript, and a loader in the thread would take most of a second each time.
 */
export function workerFile(source: WorkerSource): URL {
  const { besides, name } = source;
  if (besides.endsWith(".js")) return new URL(`./${name}.js`, besides);
  const { href } = new URL(`./${name}.ts`, besides);
  const file = built.get(href) ?? build(new URL(href), source);
  built.set(href, file);
  return file;
}

function build(entry: URL, { besides, name, external = [] }: WorkerSource): URL {
  const { buildSync }: typeof Esbuild = createRequire(import.meta.url)("esbuild");
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(entry)],
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["@turnwire/source"],
    external: [...external],
    write: false,
  });
  const [output] = outputFiles;
  if (!output) throw new Error(`esbuild gave no output for ${name}.ts`);
  // In the package, so that its dependencies are found. Processes that build at the same time give the same file.
  const directory = new URL("node_modules/.cache/turnwire/", packageOf(besides));
  const digest = createHash("sha256").update(output.contents).digest("hex").slice(0, 16);
  const file = new URL(`${name}-${digest}.mjs`, directory);
  if (existsSync(file)) return file;
  mkdirSync(directory, { recursive: true });
  const unfinished = new URL(`${digest}-${process.pid}.tmp`, directory);
  writeFileSync(unfinished, output.contents);
  renameSync(unfinished, file);
  return file;
}

/** The folder of the package that a module belongs to. */
function packageOf(module: string): URL {
  let folder = new URL("./", module);
  while (!existsSync(new URL("package.json", folder)) && folder.pathname !== "/") {
    folder = new URL("../", folder);
  }
  return folder;
}
