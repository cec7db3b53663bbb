import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly description?: string;
  readonly keywords?: readonly string[];
  readonly homepage?: string;
  readonly bugs?: string;
  readonly license?: string;
  readonly repository?: {
    readonly type: string;
    readonly url: string;
    readonly directory?: string;
  };
  readonly files?: readonly string[];
  readonly publishConfig?: Readonly<Record<string, string>>;
  readonly engines?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

export interface PublishedPackage {
  /** Relative to the repository. */
  readonly directory: string;
  readonly manifest: Manifest;
}

export interface Tarball {
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly fileCount: number;
}

export async function readManifest(directory: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(root, directory, "package.json"), "utf8"));
}

/** All packages that go to the registry. */
export async function publishedPackages(): Promise<PublishedPackage[]> {
  const parents = ["packages", "apps"];
  const directories = await Promise.all(
    parents.map(async (parent) => {
      return (await readdir(join(root, parent))).toSorted().map((name) => join(parent, name));
    }),
  );
  const packages = await Promise.all(
    directories.flat().map(async (directory) => {
      return { directory, manifest: await readManifest(directory) };
    }),
  );
  return packages.filter(({ manifest }) => manifest.private !== true);
}

/** Packs the packages as npm would publish them. Needs dist; asks no registry. */
export async function packPackages(
  packages: readonly PublishedPackage[],
  destination: string,
): Promise<Tarball[]> {
  for (const { directory, manifest } of packages) {
    if (manifest.files?.includes("dist") !== true) continue;
    if (existsSync(resolve(root, directory, "dist"))) continue;
    throw new Error(`${manifest.name} is not built: run \`npm run packages:build\` first.`);
  }
  const directories = packages.map(({ directory }) => resolve(root, directory));
  const { stdout } = await promisify(execFile)(
    "npm",
    ["pack", "--json", "--offline", "--pack-destination", destination, ...directories],
    { cwd: root, maxBuffer: 64 * 1024 * 1024 },
  );
  const packed: { name: string; filename: string; size: number; entryCount: number }[] =
    JSON.parse(stdout);
  return packed.map(({ name, filename, size, entryCount }) => {
    return { name, path: join(destination, filename), size, fileCount: entryCount };
  });
}
