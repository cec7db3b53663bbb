import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../tools/published-package.ts";

const maxLines = 40;

/** Every package and application, and every stage of one: what a person opens first in each is its README. */
const places = ["packages", "apps"].flatMap((parent) =>
  readdirSync(join(root, parent)).flatMap((name) => {
    const folders = readdirSync(join(root, parent, name, "src"), { withFileTypes: true });
    const stages = folders.filter((entry) => entry.isDirectory() && /^\d-/.test(entry.name));
    const own = `${parent}/${name}`;
    return [own, ...stages.map((stage) => `${own}/src/${stage.name}`)];
  }),
);

/** What a page names in code: source files by their endings. */
function namedFiles(text: string): string[] {
  const names = text
    .replaceAll(/^```[^]*?^```$/gm, "")
    .matchAll(/`([\w./-]+\.(?:tsx?|css|svelte))`/g);
  return [...new Set(Array.from(names, ([, name = ""]) => name))];
}

describe.each(places)("the README of %s", (place) => {
  const path = join(root, place, "README.md");

  test("exists, and is short enough to be read whole", () => {
    expect(existsSync(path)).toBe(true);
    expect(readFileSync(path, "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(maxLines);
  });

  test("names files that exist, from its folder, its sources or the repository", () => {
    const named = namedFiles(readFileSync(path, "utf8"));
    expect(named.length).toBeGreaterThan(0);
    const bases = [place, `${place}/src`, "."];
    const folders = readdirSync(join(root, place), { recursive: true, encoding: "utf8" });
    const missing = named.filter(
      (name) =>
        !bases.some((base) => existsSync(join(root, base, name))) &&
        !folders.some((file) => file.endsWith(`/${name}`) && !file.includes("node_modules")),
    );
    expect(missing).toEqual([]);
  });
});

describe("ARCHITECTURE.md", () => {
  const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");

  test("names files and folders that exist", () => {
    const sources = ["packages", "apps", "tools"].flatMap((parent) =>
      readdirSync(join(root, parent), { recursive: true, encoding: "utf8" })
        .filter((path) => !path.includes("node_modules"))
        .map((path) => `${parent}/${path}`),
    );
    const missing = namedFiles(text).filter(
      (name) => !existsSync(join(root, name)) && !sources.some((path) => path.endsWith(`/${name}`)),
    );
    expect(missing).toEqual([]);
    const folders = Array.from(
      text.matchAll(/`((?:\d-[a-z]+)(?:\/[\w-]+)*)`/g),
      ([, name]) => name,
    );
    expect(folders.filter((name) => !sources.some((path) => path.endsWith(`/${name}`)))).toEqual(
      [],
    );
  });
});
