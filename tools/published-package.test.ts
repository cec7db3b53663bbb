import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { publishedPackages, readManifest, root } from "./published-package.ts";

const packages = await publishedPackages();
const repository = await readManifest(".");
const server = await readManifest("packages/server");

test("the command line is published as turnwire, so that `npx turnwire` finds it", () => {
  const names = packages.map(({ manifest }) => manifest.name);
  expect(names).toContain("turnwire");
  expect(names.filter((name) => name !== "turnwire" && !name.startsWith("@turnwire/"))).toEqual([]);
  expect(repository).toMatchObject({ private: true, name: "turnwire-repository" });
});

describe.each(packages)("$manifest.name", ({ directory, manifest }) => {
  test("states its licence, and carries its text", async () => {
    expect(manifest.license).toBe(repository.license);
    const licence = await readFile(join(root, directory, "LICENSE"), "utf8");
    expect(licence).toBe(await readFile(join(root, "LICENSE"), "utf8"));
  });

  test("states its source and the place for reports as the repository does", () => {
    expect(manifest.repository).toEqual({ ...repository.repository, directory });
    expect(manifest.homepage).toBe(repository.homepage);
    expect(manifest.bugs).toBe(repository.bugs);
  });

  test("has what a registry shows: a description, keywords and a README under its name", async () => {
    expect(manifest.description).toMatch(/\w/);
    expect(manifest.keywords).toContain("turnwire");
    const readme = await readFile(join(root, directory, "README.md"), "utf8");
    expect(readme.split("\n")[0]).toBe(`# ${manifest.name}`);
  });

  test("is published to everybody, without its tests", () => {
    expect(manifest.publishConfig).toEqual({ access: "public" });
    expect(manifest.engines).toEqual(repository.engines);
    expect(manifest.files).toContain("dist");
    if (manifest.files?.includes("src") !== true) return;
    const tests = ["!src/**/*.test.*", "!src/**/test-support", "!src/**/__snapshots__"];
    expect(manifest.files).toEqual(expect.arrayContaining(tests));
  });

  test("has the version of all, and needs exactly that version of the others", () => {
    const needed = Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies });
    const ours = needed.filter(([name]) => packages.some((other) => other.manifest.name === name));
    const versions = [manifest.version, ...ours.map(([, version]) => version)];
    expect(new Set(versions)).toEqual(new Set([server.version]));
  });

  test("names its version in the manifest only, where a release raises it", async () => {
    const source = join(root, directory, "src");
    const names = await readdir(source, { recursive: true });
    const shipped = names.filter((name) => {
      return /\.(tsx?|svelte)$/.test(name) && !/\.test\.|test-support/.test(name);
    });
    const texts = await Promise.all(shipped.map((name) => readFile(join(source, name), "utf8")));
    expect(shipped.filter((_, index) => texts[index]?.includes(`"${manifest.version}"`))).toEqual(
      [],
    );
  });
});
