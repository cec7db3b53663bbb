import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const manifest = join(repository, "packages", "cli", "package.json");
const source = join(repository, "packages", "cli", "src", "main.ts");

export interface BundledCli {
  /** The program `turnwire`. */
  readonly main: string;
  remove(): Promise<void>;
}

/**
 * The command line in one piece: hosts start many times in a run, and from sources each start takes
 * seconds. SQLite is not for it, whose writer is a file of its own.
 */
export async function bundleCli(): Promise<BundledCli> {
  const cache = join(repository, "node_modules", ".cache");
  await mkdir(cache, { recursive: true });
  // Within the repository, where the dependencies are found.
  const directory = await mkdtemp(join(cache, "turnwire-hosts-"));
  const main = join(directory, "cli", "dist", "main.js");
  await build({
    entryPoints: [source],
    outdir: dirname(main),
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@turnwire/source"],
    logLevel: "warning",
    plugins: [
      {
        name: "dependencies-stay-outside",
        setup: (plugin) =>
          plugin.onResolve({ filter: /^[^./]/ }, ({ path }) =>
            path.startsWith("@turnwire/") ? undefined : { path, external: true },
          ),
      },
    ],
  });
  // Where the programs look for their versions.
  await copyFile(manifest, join(directory, "cli", "package.json"));
  await copyFile(manifest, join(directory, "package.json"));
  return { main, remove: () => rm(directory, { recursive: true, force: true }) };
}
