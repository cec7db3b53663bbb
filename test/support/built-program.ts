import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, parse } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type OutputFile, type Plugin } from "esbuild";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const manifest = join(repository, "packages", "cli", "package.json");
const writerWorker = join(repository, "packages/log/src/store/sqlite/writer-worker.ts");
/** Within the repository, where the dependencies are found. */
const cache = join(repository, "node_modules", ".cache", "turnwire-programs");

const dependenciesStayOutside: Plugin = {
  name: "dependencies-stay-outside",
  setup: (plugin) =>
    plugin.onResolve({ filter: /^[^./]/ }, ({ path }) =>
      path.startsWith("@turnwire/") ? undefined : { path, external: true },
    ),
};

const programs = new Map<string, Promise<string>>();

/**
 * The path of one of our programs as JavaScript: from TypeScript each start takes seconds of a
 * processor. Each test process builds it once; the same build is written once.
 */
export function builtProgram(source: string): Promise<string> {
  const known = programs.get(source);
  if (known) return known;
  const building = buildProgram(source);
  programs.set(source, building);
  return building;
}

/** The program `turnwire`. */
export function builtCli(): Promise<string> {
  return builtProgram(join(repository, "packages", "cli", "src", "main.ts"));
}

async function buildProgram(source: string): Promise<string> {
  const { name } = parse(source);
  const { outputFiles } = await build({
    entryPoints: { [name]: source, "writer-worker": writerWorker },
    outdir: "/",
    bundle: true,
    splitting: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@turnwire/source"],
    logLevel: "warning",
    plugins: [dependenciesStayOutside],
  });
  const hash = createHash("sha256");
  for (const { path, contents } of outputFiles) hash.update(`${path}\n`).update(contents);
  const directory = join(cache, `${name}-${hash.digest("hex").slice(0, 16)}`);
  if (!existsSync(directory)) await writeProgram(directory, outputFiles);
  return join(directory, "program", "dist", `${name}.js`);
}

/** Whole or not at all, also when two processes write it. */
async function writeProgram(directory: string, files: readonly OutputFile[]): Promise<void> {
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(`${directory}.`);
  const program = join(fresh, "program");
  for (const { path, contents } of files) {
    const target = join(program, "dist", path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, contents);
  }
  // Where the programs look for their versions.
  await copyFile(manifest, join(program, "package.json"));
  await copyFile(manifest, join(fresh, "package.json"));
  try {
    await rename(fresh, directory);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    if (!existsSync(directory)) throw error;
  }
}
