import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** What each package may import beside Node and itself: the dependency graph is the architecture. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  base: [],
  protocol: ["@turnwire/base", "zod"],
  log: ["@turnwire/base", "@turnwire/protocol", "libsql"],
  server: [
    "@turnwire/base",
    "@turnwire/log",
    "@turnwire/protocol",
    "@hono/node-server",
    "hono",
    "prom-client",
    "ws",
    "zod",
  ],
  client: ["@turnwire/base", "@turnwire/protocol"],
  markdown: ["@turnwire/base", "character-entities-html4", "highlight.js", "lowlight"],
  react: [
    "@turnwire/base",
    "@turnwire/client",
    "@turnwire/markdown",
    "@turnwire/protocol",
    "react",
  ],
  svelte: [
    "@turnwire/base",
    "@turnwire/client",
    "@turnwire/markdown",
    "@turnwire/protocol",
    "svelte",
  ],
  web: [
    "@turnwire/base",
    "@turnwire/client",
    "@turnwire/markdown",
    "@turnwire/protocol",
    "@turnwire/react",
    "@tanstack/react-virtual",
    "anser",
    "diff",
    "react",
    "react-dom",
  ],
  cli: [
    "@turnwire/base",
    "@turnwire/client",
    "@turnwire/markdown",
    "@turnwire/protocol",
    "@turnwire/server",
    "picocolors",
    "string-width",
    "wrap-ansi",
  ],
  conformance: [
    "@turnwire/base",
    "@turnwire/client",
    "@turnwire/log",
    "@turnwire/protocol",
    "@turnwire/server",
    "fast-check",
    "vitest",
    "zod",
  ],
};

/** Agent SDKs are optional peers: each is known in the folder of its own runtime only. */
const agentSdks: Readonly<Record<string, string>> = {
  "@anthropic-ai/claude-agent-sdk": join("server", "src", "1-runtime", "claude"),
};

/** Packages that run in a browser: nothing of Node in them. */
const browserSafe = new Set(["base", "protocol", "client", "markdown", "react", "svelte", "web"]);

interface SourceFile {
  readonly path: string;
  readonly packageName: string;
  readonly text: string;
  readonly imports: readonly string[];
}

function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || path.includes(`${sep}test-support${sep}`);
}

function sourceFiles(): SourceFile[] {
  return Object.keys(allowed).flatMap((packageName) => {
    const source = join(root, packageName === "web" ? "apps" : "packages", packageName, "src");
    return readdirSync(source, { recursive: true, encoding: "utf8" })
      .map((name) => join(source, name))
      .filter((path) => /\.(tsx?|svelte)$/.test(path) && !isTest(path))
      .map((path) => {
        const text = readFileSync(path, "utf8");
        return { path, packageName, text, imports: importsOf(text) };
      });
  });
}

function importsOf(text: string): string[] {
  const found = text.matchAll(/(?:\bfrom\s+|\bimport\s+|\bimport\(\s*)"([^"]+)"/g);
  return Array.from(found, (match) => match[1] ?? "");
}

function packageOf(specifier: string): string {
  const parts = specifier.split("/");
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? specifier);
}

/** The number of the stage a file belongs to; files outside any stage see all. */
function stageOf(path: string): number {
  const stage = relative(root, path)
    .split(sep)
    .map((part) => /^(\d)-/.exec(part)?.[1])
    .find((number) => number !== undefined);
  return stage === undefined ? Infinity : Number(stage);
}

const files = sourceFiles();

describe("the architecture", () => {
  test("lets a package import only what its row of the table names", () => {
    const strangers = files.flatMap((file) =>
      file.imports
        .filter((specifier) => !specifier.startsWith(".") && !specifier.startsWith("node:"))
        .filter((specifier) => packageOf(specifier) !== `@turnwire/${file.packageName}`)
        .filter((specifier) => !allowed[file.packageName]?.includes(packageOf(specifier)))
        .filter((specifier) => !file.path.includes(agentSdks[specifier] ?? "no folder"))
        .map((specifier) => `${relative(root, file.path)} imports ${specifier}`),
    );
    expect(strangers).toEqual([]);
  });

  test("lets a stage import itself and lower stages only", () => {
    const climbing = files.flatMap((file) =>
      file.imports
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) => resolve(dirname(file.path), specifier))
        .filter((target) => stageOf(target) > stageOf(file.path))
        .map((target) => `${relative(root, file.path)} imports ${relative(root, target)}`),
    );
    expect(climbing).toEqual([]);
  });

  test("keeps Node out of what browsers load", () => {
    const bound = files
      .filter((file) => browserSafe.has(file.packageName))
      .filter((file) => file.imports.some((specifier) => specifier.startsWith("node:")))
      .map((file) => relative(root, file.path));
    expect(bound).toEqual([]);
  });

  test("runs no shell: a command is a program and its arguments", () => {
    const shells = files
      .filter((file) =>
        /\bshell:\s*true|\bexecSync\(|\{[^}]*\bexec\b[^}]*\} from "node:child_process"/.test(
          file.text,
        ),
      )
      .map((file) => relative(root, file.path));
    expect(shells).toEqual([]);
  });

  test("has no file whose name explains nothing", () => {
    const vague = files
      .map((file) => relative(root, file.path).replace(/^packages\/base\//, ""))
      .filter((path) =>
        /(^|\/)(utils?|helpers?|common|misc|types|shared|manager|handler|base|impl)(\.tsx?|\.svelte|\/)/.test(
          path,
        ),
      );
    expect(vague).toEqual([]);
  });

  test("keeps files short enough to read", () => {
    const long = files
      .filter((file) => file.text.split("\n").length > 350)
      .map((file) => relative(root, file.path));
    expect(long).toEqual(knownLong);
  });
});

/** Test code that only works in one lane, by a part of its path or the package's name. */
const laneOfImport: readonly (readonly [RegExp, string])[] = [
  [/^playwright-core$/, "browser"],
  [/(anthropic|openai)-standin$|codex\/(binary|check)\.ts$/, "agent"],
  [/test\/support\/(crashing-server|runtime-program)\.ts$/, "system"],
];

/** Everything that a test imports, directly or through other code for tests. */
function reachedBy(path: string, reached = new Set<string>()): Set<string> {
  for (const specifier of importsOf(readFileSync(path, "utf8"))) {
    const target = specifier.startsWith(".") ? resolve(dirname(path), specifier) : specifier;
    if (reached.has(target)) continue;
    reached.add(target);
    const isTestCode = isTest(target) || target.startsWith(join(root, "test"));
    if (isTestCode && existsSync(target)) reachedBy(target, reached);
  }
  return reached;
}

describe("the name of a test", () => {
  test("names the lane that has what it needs: .browser, .agent or .system", () => {
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

/** Files that are long for a reason. */
const knownLong: readonly string[] = [];
