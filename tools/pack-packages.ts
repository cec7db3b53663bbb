import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { packPackages, type PublishedPackage, publishedPackages } from "./published-package.ts";

// Packs one of our packages with those of ours that it needs: npm run packages:pack -- DIRECTORY [NAME]

/** The named package and, through all levels, those of ours that it depends on. */
function closure(packages: readonly PublishedPackage[], name: string): PublishedPackage[] {
  const found = new Set<PublishedPackage>();
  const visit = (wanted: string): void => {
    const each = packages.find(({ manifest }) => manifest.name === wanted);
    if (each === undefined || found.has(each)) return;
    found.add(each);
    for (const dependency of Object.keys(each.manifest.dependencies ?? {})) visit(dependency);
  };
  visit(name);
  if (found.size === 0) throw new Error(`There is no package ${name}.`);
  return [...found];
}

const [directory, name = "turnwire"] = process.argv.slice(2);
if (directory === undefined) throw new Error("Name the directory for the packed files.");
const destination = resolve(directory);
await mkdir(destination, { recursive: true });
const tarballs = await packPackages(closure(await publishedPackages(), name), destination);
for (const { path } of tarballs) console.log(path);
