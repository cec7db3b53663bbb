import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import {
  fileCounts,
  folderCycles,
  folderImports,
  folderOf,
} from "../tools/import-graph/folder-graph.ts";
import { folderOrder } from "../tools/import-graph/folder-order.ts";
import { importsOf, isTest, packageSources } from "../tools/import-graph/source-file.ts";
import { appendsToLog, wrongImports } from "./support/architecture-rule.ts";
import { allowedImports } from "./support/package-table.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** The packages of ours that ARCHITECTURE.md lets a package import. */
function describedImports(packageName: string): string[] {
  const row = readFileSync(join(root, "ARCHITECTURE.md"), "utf8")
    .split("\n")
    .find((line) => new RegExp(`^\\| \`(packages|apps)/${packageName}\` `).test(line));
  const [named = ""] = (row?.split("|").at(-2) ?? "").split(";");
  return (
    named
      .split(",")
      .map((name) => `@turnwire/${name.trim()}`)
      .filter((name) => name.slice("@turnwire/".length) in allowedImports)
      // React and Svelte name the framework itself.
      .filter((name) => name !== `@turnwire/${packageName}`)
      .toSorted()
  );
}

const packages = packageSources();
const files = [...packages.values()].flat();

describe("the architecture", () => {
  test("has a row for every package", () => {
    const folders = ["packages", "apps"].flatMap((folder) => readdirSync(join(root, folder)));
    expect(Object.keys(allowedImports).toSorted()).toEqual(folders.toSorted());
  });

  test.each(Object.keys(allowedImports))("is what ARCHITECTURE.md says of %s", (name) => {
    const ours = allowedImports[name]?.filter((allowed) => allowed.startsWith("@turnwire/"));
    expect(describedImports(name)).toEqual(ours?.toSorted());
  });

  test("lets a file import what its package and its stage may, and nothing else", () => {
    expect(files.flatMap(wrongImports)).toEqual([]);
  });

  test("lets only the recorder append to a log", () => {
    expect(files.filter(appendsToLog).map(({ path }) => path)).toEqual([]);
  });

  test("runs no shell: a command is a program and its arguments", () => {
    const shells = files
      .filter((file) =>
        /\bshell:\s*true|\bexecSync\(|\{[^}]*\bexec\b[^}]*\} from "node:child_process"/.test(
          file.text,
        ),
      )
      .map(({ path }) => path);
    expect(shells).toEqual([]);
  });

  test("lets the demo runtime neither run a command nor open a file", () => {
    const demo = files.filter(({ path }) => path.startsWith("packages/runtime/src/demo/"));
    expect(demo.length).toBeGreaterThan(5);
    const harmless = new Set(["node:crypto", "node:timers/promises", "node:util"]);
    const ofNode = demo
      .flatMap(({ text }) => importsOf(text).map(({ specifier }) => specifier))
      .filter((name) => name.startsWith("node:"));
    expect(ofNode.filter((name) => !harmless.has(name))).toEqual([]);
  });

  test("has no file whose name explains nothing", () => {
    const vague = files
      .map(({ path }) => path.replace(/^packages\/base\//, ""))
      .filter((path) =>
        /(^|\/)(utils?|helpers?|common|misc|types|shared|manager|handler|base|impl)(\.tsx?|\.svelte|\/)/.test(
          path,
        ),
      );
    expect(vague).toEqual([]);
  });

  test("has no folder with more files than a reader takes in", () => {
    const counts = [...packages].flatMap(([name, sources]) =>
      Array.from(fileCounts(sources), ([folder, count]) => [`${name}/${folder}`, count] as const),
    );
    const large = counts.filter(([folder, count]) => count > (knownLarge[folder] ?? maxFiles));
    expect(large).toEqual([]);
  });

  test("lowers the number of a large folder when files leave it", () => {
    const shrunk = Object.entries(knownLarge).filter(([folder, known]) => {
      const [name = "", ...rest] = folder.split("/");
      return (fileCounts(packages.get(name) ?? []).get(rest.join("/")) ?? 0) < known;
    });
    expect(shrunk).toEqual([]);
  });

  test.each(Object.keys(folderOrder))("orders all folders of %s", (name) => {
    const folders = new Set(packages.get(name)?.map(({ path }) => folderOf(path)));
    expect([...folders].toSorted()).toEqual(folderOrder[name]?.toSorted());
  });

  test.each(Object.keys(folderOrder))("has no folders of %s that import each other", (name) => {
    expect(folderCycles(folderImports(packages.get(name) ?? []))).toEqual([]);
  });
});

/** Test code that only works in one lane, by a part of its path or the package's name. */
const laneOfImport: readonly (readonly [RegExp, string])[] = [
  [/^playwright-core$/, "browser"],
  [/(anthropic|openai)-standin$|runtime-codex\/src\/setting\/(binary|check)\.ts$/, "agent"],
  [/test\/support\/database\.ts$/, "postgres"],
  [/test\/support\/(crashing-server|runtime-program)\.ts$/, "system"],
];

/** Everything that a test imports, directly or through other code for tests. */
function reachedBy(path: string, reached = new Set<string>()): Set<string> {
  for (const { specifier } of importsOf(readFileSync(path, "utf8"))) {
    const target = specifier.startsWith(".") ? resolve(dirname(path), specifier) : specifier;
    if (reached.has(target)) continue;
    reached.add(target);
    const isTestCode = isTest(target) || target.startsWith(join(root, "test"));
    if (isTestCode && existsSync(target)) reachedBy(target, reached);
  }
  return reached;
}

describe("the name of a test", () => {
  test("names the lane that has what it needs: .browser, .agent, .postgres or .system", () => {
    const misnamed = ["packages", "apps", "test"]
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) =>
          join(root, folder, name),
        ),
      )
      .filter((path) => /\.test\.tsx?$/.test(path) && !path.includes("node_modules"))
      .flatMap((path) => {
        const imports = [...reachedBy(path)];
        const lane = laneOfImport.find(([part]) => imports.some((name) => part.test(name)))?.[1];
        return lane === undefined || path.includes(`.${lane}.test.`)
          ? []
          : [`${relative(root, path)} belongs to the lane of *.${lane}.test.ts`];
      });
    expect(misnamed).toEqual([]);
  });
});

/** A folder with more than this holds two subjects. */
const maxFiles = 30;

/** Folders that are larger: each number may only become smaller. */
const knownLarge: Readonly<Record<string, number>> = {};
