import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { buildWeb, webPackages } from "./web.ts";

let root = "";
let builds = 0;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Stands for vite: a page that names its files by their content. */
function build(): void {
  builds += 1;
  write("apps/web/dist/index.html", `<script src="main-${builds}.js"></script>`);
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "turnwire-build-"));
  builds = 0;
  write("package-lock.json", "{}");
  write("apps/web/src/main.tsx", "one");
  write("apps/web/public/icon.svg", "<svg/>");
  for (const name of webPackages) write(`packages/${name}/src/index.ts`, name);
  buildWeb(root, build);
});

afterEach(() => rmSync(root, { recursive: true }));

describe("the web app", () => {
  test("is built once, and not again while nothing changes", () => {
    expect(builds).toBe(1);
    expect(buildWeb(root, build)).toBe(false);
    expect(builds).toBe(1);
  });

  test.each([
    ["its own source", "apps/web/src/main.tsx"],
    ["a new file", "apps/web/src/other.ts"],
    ["an asset", "apps/web/public/icon.svg"],
    ["its settings", "apps/web/vite.config.ts"],
    ["a package in it", "packages/protocol/src/index.ts"],
    ["the versions of its dependencies", "package-lock.json"],
  ])("is built again after a change of %s, even with an old time", (_, path) => {
    write(path, "changed");
    utimesSync(join(root, path), 1, 1);
    expect(buildWeb(root, build)).toBe(true);
    expect(buildWeb(root, build)).toBe(false);
  });

  test.each([
    ["times alone", () => utimesSync(join(root, "apps/web/src/main.tsx"), 2e9, 2e9)],
    ["a test", () => write("apps/web/src/main.test.tsx", "test")],
    ["the support of a test", () => write("packages/react/src/test-support/fake.ts", "fake")],
    ["another package", () => write("packages/server/src/index.ts", "server")],
  ])("is not built for a change of %s", (_, change) => {
    change();
    expect(buildWeb(root, build)).toBe(false);
  });

  test("is built again when what was built is gone, or comes from another build", () => {
    rmSync(join(root, "apps/web/dist"), { recursive: true });
    expect(buildWeb(root, build)).toBe(true);
    write("apps/web/dist/index.html", "from somewhere else");
    expect(buildWeb(root, build)).toBe(true);
  });

  test("is built again after a build that failed, or a note that is broken", () => {
    write("apps/web/src/main.tsx", "wrong");
    const fail = () => {
      throw new Error("no");
    };
    expect(() => buildWeb(root, fail)).toThrow("no");
    write("apps/web/src/main.tsx", "one");
    expect(buildWeb(root, build)).toBe(true);
    write("node_modules/.cache/turnwire/web-build.json", "{");
    expect(buildWeb(root, build)).toBe(true);
  });

  test("is built again where a file changes its name", () => {
    cpSync(join(root, "apps/web/src/main.tsx"), join(root, "apps/web/src/start.tsx"));
    rmSync(join(root, "apps/web/src/main.tsx"));
    expect(buildWeb(root, build)).toBe(true);
  });
});

/** Packages that serve the app in its tests only. */
const testPackages = [
  "conformance",
  "runtime",
  "runtime-claude",
  "runtime-codex",
  "server",
  "wire-relay",
  "workspace",
];

test("the packages that count are all that the app depends on, but for those of its tests", () => {
  const repository = dirname(dirname(import.meta.dirname));
  const dependenciesOf = (path: string, kind: string): string[] => {
    const text = readFileSync(join(repository, path, "package.json"), "utf8");
    const manifest = JSON.parse(text) as Record<string, Record<string, string>>;
    return Object.keys(manifest[kind] ?? {}).filter((name) => name.startsWith("@turnwire/"));
  };
  const direct = dependenciesOf("apps/web", "devDependencies");
  const inner = webPackages.flatMap((name) => dependenciesOf(`packages/${name}`, "dependencies"));
  const needed = new Set([...direct, ...inner].map((name) => name.replace("@turnwire/", "")));
  expect([...needed].toSorted()).toEqual([...webPackages, ...testPackages].toSorted());
});
