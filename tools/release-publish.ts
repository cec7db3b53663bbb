import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import readChangesets from "@changesets/read";
import { unreleasedVersion } from "./changelog.ts";
import { packPackages, publishedPackages, root } from "./published-package.ts";

// Lists what a release would publish; publishes it only with --publish.

const { values } = parseArgs({ options: { publish: { type: "boolean", default: false } } });

/** Why this state of the repository must not be published. */
async function obstacles(): Promise<string[]> {
  const prepared = unreleasedVersion(await readFile(join(root, "CHANGELOG.md"), "utf8"));
  const changesets = await readChangesets(root);
  const status = execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" });
  return [
    ...(prepared === undefined ? [] : [`CHANGELOG.md calls ${prepared} unreleased`]),
    ...(changesets.length === 0 ? [] : [`${changesets.length} changesets are not in a version`]),
    ...(status === "" ? [] : ["there are changes that are not committed"]),
  ];
}

async function list(): Promise<void> {
  const packages = await publishedPackages();
  const scratch = await mkdtemp(join(tmpdir(), "turnwire-release-"));
  try {
    for (const { name, size, fileCount } of await packPackages(packages, scratch)) {
      const version = packages.find(({ manifest }) => manifest.name === name)?.manifest.version;
      const kilobytes = Math.ceil(size / 1000);
      console.log(`${name}@${version}: ${fileCount} files, ${kilobytes} kB packed`);
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

await list();
const found = await obstacles();
for (const obstacle of found) console.log(`Not ready: ${obstacle}.`);
if (!values.publish) {
  console.log("Nothing was published. To publish: npm run release:publish -- --publish");
} else if (found.length > 0) {
  console.error("Nothing was published.");
  process.exitCode = 1;
} else {
  execFileSync("npx", ["changeset", "publish", "--no-git-tag"], { cwd: root, stdio: "inherit" });
}
