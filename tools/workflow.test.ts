import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "./published-package.ts";

const read = (path: string): Promise<string> => readFile(join(root, path), "utf8");
const { scripts, engines } = JSON.parse(await read("package.json"));
const ci = await read(".github/workflows/ci.yml");

describe("outside of the repository's own scripts", () => {
  test.each([
    ".github/workflows/ci.yml",
    ".github/workflows/nightly.yml",
    ".github/workflows/release.yml",
    "CONTRIBUTING.md",
    "Dockerfile",
  ])("%s runs only scripts that exist", async (path) => {
    const named = Array.from((await read(path)).matchAll(/npm run ([\w:-]+)/g), ([, name]) => name);
    expect(named).not.toEqual([]);
    expect(named.filter((name) => scripts[name ?? ""] === undefined)).toEqual([]);
  });

  test("CI runs every check and every lane of `npm test`", () => {
    for (const lane of ["unit", "postgres", "system", "agents", "browser"])
      expect(ci).toContain(`npm run test:${lane}\n`);
    expect(ci).toContain("npm run check:static\n");
    expect(scripts.test).toBe('npm run --silent check:static && vitest run "--project=!long-*"');
  });

  test("the nightly workflow runs all tests", async () => {
    expect(await read(".github/workflows/nightly.yml")).toContain("npm run test:all\n");
    expect(scripts["test:all"]).toMatch(/check:static && .*packages:check && vitest run$/);
  });

  test("CI runs on the oldest Node that we promise, which is the one for development", async () => {
    const versions = /node: \[(.*)\]/.exec(ci)?.[1]?.split(", ");
    const oldest = /\d+/.exec(engines.node)?.[0];
    expect(versions?.[0]).toBe(oldest);
    expect((await read(".nvmrc")).trim()).toBe(oldest);
  });

  test("no workflow for forks asks for a secret", () => {
    expect(ci).not.toMatch(/secrets\./);
  });
});
