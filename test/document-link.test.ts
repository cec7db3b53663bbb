import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { root } from "../tools/published-package.ts";
import { anchorOf } from "../tools/site/anchor.ts";

/** Installed, built and recorded files, and pages that are written when the site is built. */
const skippedFolders = new Set(["node_modules", "dist", "fixtures"]);
const writtenBySite = /^docs\/api(\/|$)/;

/** Every page of the repository, from its top. */
function pagesIn(folder = ""): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return path.endsWith(".md") ? [path] : [];
    const isSkipped = skippedFolders.has(entry.name) || entry.name.startsWith(".");
    return isSkipped || writtenBySite.test(path) ? [] : pagesIn(path);
  });
}

/** What is rendered as text: code shows links without having them. */
function withoutCode(text: string): string {
  return text.replaceAll(/^```[^]*?^```$/gm, "").replaceAll(/`[^`\n]+`/g, "");
}

/** The headings of a page as links name them. */
async function anchorsOf(path: string): Promise<ReadonlySet<string>> {
  const text = (await readFile(join(root, path), "utf8")).replaceAll(/^```[^]*?^```$/gm, "");
  const headings = Array.from(text.matchAll(/^#+ (.*)$/gm), ([, heading = ""]) => heading);
  return new Set(headings.map(anchorOf));
}

async function leadsSomewhere(link: string, from: string): Promise<boolean> {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? from : normalize(join(dirname(from), decodeURI(path)));
  if (writtenBySite.test(target)) return true;
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || (await anchorsOf(target)).has(anchor);
}

async function deadLinksOf(page: string): Promise<string[]> {
  const text = withoutCode(await readFile(join(root, page), "utf8"));
  const links = Array.from(
    text.matchAll(/\]\((?![a-z]+:)([^)\s]+)(?: "[^"]*")?\)/g),
    ([, link = ""]) => link,
  );
  const found = await Promise.all(links.map((link) => leadsSomewhere(link, page)));
  return links.filter((_, index) => !found[index]).map((link) => `${page}: ${link}`);
}

test("every link within the repository leads to a file and a heading that exist", async () => {
  const pages = pagesIn();
  expect(pages.length).toBeGreaterThan(50);
  expect((await Promise.all(pages.map(deadLinksOf))).flat()).toEqual([]);
});
