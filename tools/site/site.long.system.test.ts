import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildSite } from "./build.ts";
import { repository, sections } from "./page-list.ts";

/** The first build installs VitePress. */
const BUILD_LIMIT_MS = 10 * 60_000;
let output = "";

beforeAll(async () => {
  output = await mkdtemp(join(tmpdir(), "turnwire-site-"));
  await buildSite(output, (text) => process.stderr.write(`${text}\n`));
}, BUILD_LIMIT_MS);

afterAll(() => rm(output, { recursive: true, force: true }));

/** The file that a link of the site leads to. */
function fileFor(path: string): string | undefined {
  const names = path.endsWith("/") ? [`${path}index.html`] : [path, `${path}.html`];
  return names.map((name) => join(output, name)).find((name) => existsSync(name));
}

function idsIn(html: string): Set<string> {
  return new Set(Array.from(html.matchAll(/\sid="([^"]+)"/g), (match) => match[1] ?? ""));
}

/** Everything that a page links to or shows within the site and that is not there. */
async function deadLinksOf(page: string): Promise<string[]> {
  const html = await readFile(join(output, page), "utf8");
  const links = Array.from(html.matchAll(/\s(?:href|src)="([^"]+)"/g), (match) => match[1] ?? "");
  const dead: string[] = [];
  for (const link of new Set(links.filter((target) => /^[/#]/.test(target)))) {
    const [path = "", id] = link.split("#");
    const file = path === "" ? join(output, page) : fileFor(decodeURI(path));
    const isThere = file !== undefined && (await hasId(file, id));
    if (!isThere) dead.push(`${page}: ${link}`);
  }
  return dead;
}

async function hasId(file: string, id: string | undefined): Promise<boolean> {
  if (id === undefined || id === "") return true;
  return idsIn(await readFile(file, "utf8")).has(decodeURIComponent(id));
}

describe("the documentation site", () => {
  test("has a page for every document, and no link that leads nowhere", async () => {
    const names = await readdir(output, { recursive: true });
    const pages = names.filter((name) => name.endsWith(".html") && name !== "404.html");
    const documents = sections().flatMap((section) => section.pages);
    expect(pages).toHaveLength(documents.length);
    expect((await Promise.all(pages.map(deadLinksOf))).flat()).toEqual([]);
  });

  test("has an API reference of our own names, not of those that a library or Error brings", async () => {
    const pages = sections().flatMap((section) => section.pages);
    const references = pages.filter(({ path }) => path.startsWith("docs/api/"));
    expect(references.length).toBeGreaterThan(5);
    for (const { path } of references) {
      const text = await readFile(join(repository, path), "utf8");
      expect(text).not.toMatch(/stackTraceLimit|Zod\w+<\{$/m);
    }
  });

  test("lists its pages for language models, with what each is about", async () => {
    const list = await readFile(join(output, "llms.txt"), "utf8");
    const links = Array.from(list.matchAll(/^- \[.+?\]\((\S+)\)/gm), (match) => match[1] ?? "");
    expect(links).toHaveLength(sections().flatMap((section) => section.pages).length);
    expect(links.filter((link) => fileFor(link) === undefined)).toEqual([]);
    expect(list).toMatch(/^# Turnwire\n\n> \w/);
    const whole = await readFile(join(output, "llms-full.txt"), "utf8");
    expect(whole).toContain(await readFile(join(repository, "PROTOCOL.md"), "utf8"));
  });
});
