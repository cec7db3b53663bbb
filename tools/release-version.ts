import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import readChangesets from "@changesets/read";
import { addRelease, dateUnreleased, unreleasedVersion } from "./changelog.ts";
import { readManifest, root } from "./published-package.ts";

// Turns the changesets into a version: raises all packages, and moves the texts into CHANGELOG.md.

const changelogFile = join(root, "CHANGELOG.md");
const date = new Date().toISOString().slice(0, 10);

function run(program: string, ...parameters: string[]): void {
  execFileSync(program, parameters, { cwd: root, stdio: "inherit" });
}

async function currentVersion(): Promise<string> {
  return (await readManifest("packages/cli")).version;
}

async function nextChangelog(): Promise<string> {
  const changelog = await readFile(changelogFile, "utf8");
  const changesets = await readChangesets(root);
  const prepared = unreleasedVersion(changelog);
  if (prepared !== undefined) {
    if (changesets.length === 0) return dateUnreleased(changelog, date);
    const ids = changesets.map(({ id }) => `.changeset/${id}.md`).join(", ");
    throw new Error(`${prepared} is not released yet: move ${ids} into its part of CHANGELOG.md.`);
  }
  if (changesets.length === 0) throw new Error("There are no changesets: nothing to release.");
  run("npx", "changeset", "version");
  const summaries = changesets.map(({ summary }) => summary);
  return addRelease(changelog, { version: await currentVersion(), date, summaries });
}

await writeFile(changelogFile, await nextChangelog());
run("npm", "install", "--package-lock-only", "--ignore-scripts", "--prefer-offline");
run("npx", "oxfmt", "CHANGELOG.md", "*/*/package.json", "*/package.json");
console.log(
  `\nThis is ${await currentVersion()}. Read the diff, commit it, then tag the commit with v${await currentVersion()}.`,
);
