import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { importsOf, type SourceText } from "../tools/import-graph/source-file.ts";

const source = join(dirname(fileURLToPath(import.meta.url)), "..", "apps", "web", "src");

/** From the bottom up: a layer imports itself and those before it. */
const layers = ["element", "feature", "app"] as const;

interface Import {
  /** Paths below `apps/web/src`. */
  readonly from: string;
  readonly to: string;
}

function sourcePaths(): string[] {
  return readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(tsx?|css)$/.test(path))
    .filter((path) => !/\.test\.tsx?$/.test(path) && !path.startsWith(`test-support${sep}`));
}

function relativeImports({ path: from, text }: SourceText): Import[] {
  return importsOf(text)
    .filter(({ specifier }) => specifier.startsWith("."))
    .map(({ specifier }) => ({
      from,
      to: relative(source, resolve(source, dirname(from), specifier)),
    }));
}

/** `main.tsx` starts the app and belongs to it; a folder that is not a layer is below none. */
function layerOf(path: string): number {
  const [folder = ""] = path.split(sep);
  if (folder === "main.tsx") return layers.indexOf("app");
  const layer = layers.findIndex((name) => name === folder);
  return layer < 0 ? Infinity : layer;
}

function climbing(imports: readonly Import[]): string[] {
  return imports
    .filter(({ from, to }) => layerOf(to) > layerOf(from))
    .map(({ from, to }) => `${from} imports ${to}`);
}

/** The folders of each cycle, in the order of its imports, found depth first. */
function folderCycles(imports: readonly Import[]): string[] {
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [folder, target] = [dirname(from), dirname(to)];
    if (folder !== target) graph.set(folder, (graph.get(folder) ?? new Set()).add(target));
  }
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (folder: string, trail: readonly string[]): void => {
    const start = trail.indexOf(folder);
    if (start >= 0) cycles.push([...trail.slice(start), folder].join(" → "));
    if (start >= 0 || done.has(folder)) return;
    for (const target of graph.get(folder) ?? []) visit(target, [...trail, folder]);
    done.add(folder);
  };
  for (const folder of graph.keys()) visit(folder, []);
  return cycles;
}

/** What features must not do: find each other's elements by attribute or id, or write a store by hand. */
const forbidden: readonly (readonly [RegExp, string])[] = [
  [/\bdocument\s*\.\s*querySelector/, "searches the whole document"],
  [
    /(closest|matches|querySelector(All)?)(<\w+>)?\(\s*["'`][^"'`]*\[data-/,
    "finds an element by data",
  ],
  [/new Set<\(\) => void>/, "has a set of listeners: use createStore"],
];

function faultsOf(files: readonly SourceText[]): string[] {
  return files.flatMap(({ path, text }) =>
    forbidden.filter(([pattern]) => pattern.test(text)).map(([, fault]) => `${path} ${fault}`),
  );
}

/** The names of the classes that a sheet has rules for. */
function classesOf(sheet: string): ReadonlySet<string> {
  const selectors = sheet.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/\{[^{}]*\}/g, "");
  return new Set(Array.from(selectors.matchAll(/\.([a-zA-Z][\w-]*)/g), ([, name = ""]) => name));
}

const sharedSheet = join("element", "theme", "class.css");

/** What is named in `className`, as far as it is written out; classes of Markdown are its package's own. */
function namedClasses(text: string): string[] {
  return Array.from(text.matchAll(/className=(?:"([^"]*)"|\{`([^`]*)`\})/g), ([, plain, built]) =>
    (plain ?? built ?? "").replaceAll(/\$\{[^}]*\}/g, " "),
  )
    .flatMap((names) => names.split(/\s+/))
    .filter((name) => name !== "" && !name.startsWith("tw-md"));
}

/** Classes without a rule, and rules whose class nothing names. */
function classFaults(files: readonly SourceText[]): string[] {
  const scripts = files.filter(({ path }) => /\.tsx?$/.test(path));
  const all = scripts.map(({ text }) => text).join("\n");
  const shared = classesOf(files.find(({ path }) => path === sharedSheet)?.text ?? "");
  const unknown = scripts.flatMap(({ path, text }) =>
    namedClasses(text)
      .filter((name) => !shared.has(name))
      .map((name) => `${path} names .${name}, which ${sharedSheet} does not have`),
  );
  const unused = [...shared]
    .filter((name) => !new RegExp(`["\`][^"\`\n]*\\b${name}\\b`).test(all))
    .map((name) => `${sharedSheet} has .${name}, which nothing names`);
  const texts = new Map<string, string>();
  for (const script of scripts) {
    for (const { to } of relativeImports(script))
      if (to.endsWith(".module.css")) texts.set(to, `${texts.get(to) ?? ""}\n${script.text}`);
  }
  const ofModules = files
    .filter(({ path }) => path.endsWith(".module.css"))
    .flatMap((sheet) => moduleFaults(sheet, texts.get(sheet.path) ?? ""));
  return [...unknown, ...unused, ...ofModules];
}

/** Holds a sheet to the components that import it, all as `style`. */
function moduleFaults({ path, text }: SourceText, users: string): string[] {
  // A class that is chosen while the page runs can be any.
  if (/(?<!\.)\bstyle\[(?!")/.test(users)) return [];
  const classes = classesOf(text);
  const used = new Set(
    Array.from(
      users.matchAll(/(?<!\.)\bstyle(?:\.(\w+)|\["([\w-]+)"\])/g),
      ([, name, quoted]) => name ?? quoted ?? "",
    ),
  );
  const unused = [...classes].filter((name) => !used.has(name));
  const unknown = [...used].filter((name) => !classes.has(name));
  return [
    ...unused.map((name) => `${path} has .${name}, which nothing names`),
    ...unknown.map((name) => `${path} has no .${name}`),
  ];
}

const texts = sourcePaths().map((path) => ({
  path,
  text: readFileSync(join(source, path), "utf8"),
}));
const imports = texts.flatMap(relativeImports);

describe("the layers of apps/web", () => {
  test("hold every file: element, feature or app", () => {
    const homeless = imports.map(({ from }) => from).filter((path) => layerOf(path) === Infinity);
    expect(homeless).toEqual([]);
    expect(imports.length).toBeGreaterThan(500);
    expect(imports.filter(({ to }) => !existsSync(join(source, to)))).toEqual([]);
  });

  test("let a file import its own layer and those below it only", () => {
    expect(climbing(imports)).toEqual([]);
  });

  test("have no cycle between folders", () => {
    expect(folderCycles(imports)).toEqual([]);
  });

  test.each([
    ["element/button.tsx", "feature/session/session-title.ts"],
    ["element/theme/theme.ts", "app/frame.tsx"],
    ["feature/navigation/link.tsx", "app/frame.tsx"],
    ["feature/navigation/link.tsx", "main.tsx"],
    ["app/frame.tsx", "shared/anything.ts"],
  ])("fail when %s imports %s", (from, to) => {
    expect(climbing([...imports, { from, to }])).toEqual([`${from} imports ${to}`]);
  });

  test.each([
    ["feature/block/code-view.tsx", "feature/request/request-card.tsx"],
    ["feature/composer/composer.tsx", "feature/conversation/message-list.tsx"],
    ["feature/session/session-title.ts", "feature/session-list/sidebar.tsx"],
    ["element/icon.tsx", "element/prose/prose.tsx"],
  ])("fail when %s imports %s, which closes a cycle", (from, to) => {
    const cycles = folderCycles([...imports, { from, to }]);
    expect(cycles).not.toEqual([]);
    expect(cycles.join("\n")).toContain(dirname(to));
  });
});

describe("the features of apps/web", () => {
  test("speak through imports and contexts, and use one kind of store", () => {
    expect(faultsOf(texts)).toEqual([]);
  });

  test.each([
    [`document.querySelector("#main")?.focus();`],
    [`card.closest<HTMLElement>("[data-request]")?.focus();`],
    [`pane.querySelector('[data-surface="overlay"]')`],
    ["const listeners = new Set<() => void>();"],
  ])("fail with %s", (text) => {
    expect(faultsOf([{ path: "feature/planted.ts", text }])).toHaveLength(1);
  });
});

describe("the classes of apps/web", () => {
  test("have a rule each, and no rule is left behind", () => {
    expect(classFaults(texts)).toEqual([]);
  });

  test.each([
    ["feature/planted.tsx", `<p className="soft smal" />`],
    ["feature/planted.tsx", "<p className={`smal ${style.part}`} />"],
    ["feature/planted.module.css", ".left { color: red; }"],
    [sharedSheet, ".forgotten { color: red; }"],
  ])("fail with %s: %s", (path, text) => {
    const others = texts.map((file) =>
      file.path === path ? { path, text: `${file.text}\n${text}` } : file,
    );
    const files = path === sharedSheet ? others : [...texts, { path, text }];
    expect(classFaults(files)).toHaveLength(1);
  });
});
