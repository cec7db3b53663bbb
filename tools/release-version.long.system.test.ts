import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, afterEach, describe, expect, test } from "vitest";
import { root } from "./published-package.ts";

const run = promisify(execFile);
const timeout = 300_000;

const settings = [
  ".changeset",
  ".npmrc",
  ".oxfmtrc.json",
  "CHANGELOG.md",
  "package-lock.json",
  "package.json",
];

async function manifests(): Promise<string[]> {
  const parents = ["packages", "apps", "examples"];
  const names = await Promise.all(
    parents.map(async (parent) => {
      return (await readdir(join(root, parent))).map((name) => join(parent, name));
    }),
  );
  return ["bench", "tools", ...names.flat()]
    .map((directory) => join(directory, "package.json"))
    .filter((path) => existsSync(join(root, path)));
}

/** A repository with the manifests of this one, in which a version may be made. */
let copy: string;

const read = (path: string): Promise<string> => readFile(join(copy, path), "utf8");

beforeEach(async () => {
  copy = await mkdtemp(join(tmpdir(), "turnwire-version-"));
  for (const path of [...settings, ...(await manifests())])
    await cp(join(root, path), join(copy, path), { recursive: true });
  for (const name of await readdir(join(root, "tools")))
    if (name.endsWith(".ts")) await cp(join(root, "tools", name), join(copy, "tools", name));
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
});

afterEach(() => rm(copy, { recursive: true, force: true }));

async function makeVersion(): Promise<void> {
  const tsx = join(root, "node_modules", ".bin", "tsx");
  await run(tsx, [join("tools", "release-version.ts")], { cwd: copy });
}

async function writeChangeset(kind: string, text: string): Promise<void> {
  await writeFile(
    join(copy, ".changeset", "test.md"),
    `---\n"turnwire": ${kind}\n---\n\n${text}\n`,
  );
}

async function writeChangelog(newest: string): Promise<void> {
  await writeFile(join(copy, "CHANGELOG.md"), `# Changelog\n\n${newest}\n\n- Something.\n`);
}

describe("npm run release:version", { timeout }, () => {
  test("raises all packages together, and moves the changesets into the changelog", async () => {
    const { version } = JSON.parse(await read("packages/cli/package.json"));
    const [major, minor] = version.split(".").map(Number);
    const next = `${major}.${minor + 1}.0`;
    await writeChangelog(`## ${version} (2026-11-16)`);
    await writeChangeset("minor", "**New**: a thing.");
    await makeVersion();
    for (const directory of ["packages/cli", "packages/server", "apps/web", "bench"]) {
      const manifest = JSON.parse(await read(`${directory}/package.json`));
      const ours = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
      const versions = ours
        .filter(([name]) => name.startsWith("@turnwire/"))
        .map(([, each]) => each);
      expect(new Set([manifest.version, ...versions])).toEqual(new Set([next]));
    }
    const lock = JSON.parse(await read("package-lock.json"));
    expect(lock.packages["packages/server"].version).toBe(next);
    const date = new Date().toISOString().slice(0, 4);
    expect(await read("CHANGELOG.md")).toMatch(
      new RegExp(
        `^# Changelog\n\n## ${next} \\(${date}-..-..\\)\n\n- \\*\\*New\\*\\*: a thing\\.\n\n## `,
      ),
    );
    await expect(read(".changeset/test.md")).rejects.toThrow("ENOENT");
  });

  test("refuses a changeset while the changelog prepares a version by hand, and changes nothing", async () => {
    await writeChangelog("## 0.1.0 (unreleased)");
    await writeChangeset("patch", "Too early.");
    const before = await Promise.all([read("CHANGELOG.md"), read("packages/cli/package.json")]);
    await expect(makeVersion()).rejects.toThrow("move .changeset/test.md into its part");
    const after = await Promise.all([read("CHANGELOG.md"), read("packages/cli/package.json")]);
    expect(after).toEqual(before);
  });
});
