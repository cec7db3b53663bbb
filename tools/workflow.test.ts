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
    ".github/workflows/release.yml",
    "CONTRIBUTING.md",
    "Dockerfile",
  ])("%s runs only scripts that exist", async (path) => {
    const named = Array.from((await read(path)).matchAll(/npm run ([\w:-]+)/g), ([, name]) => name);
    expect(named).not.toEqual([]);
    expect(named.filter((name) => scripts[name ?? ""] === undefined)).toEqual([]);
  });

  test("CI runs every lane and every check that `npm test` has", () => {
    const lanes = Object.keys(scripts).filter((name) => name.startsWith("test:"));
    expect(lanes).toHaveLength(5);
    for (const script of [...lanes, "check:static"]) expect(ci).toContain(`npm run ${script}\n`);
    expect(scripts.check).toContain("npm run --silent check:static && vitest run");
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
