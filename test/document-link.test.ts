import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../tools/published-package.ts";
import { anchorOf } from "../tools/site/anchor.ts";

/** The headings of a document as links name them. */
async function anchorsOf(path: string): Promise<ReadonlySet<string>> {
  const text = await readFile(join(root, path), "utf8");
  const headings = Array.from(text.matchAll(/^#+ (.*)$/gm), ([, heading = ""]) => heading);
  return new Set(headings.map(anchorOf));
}

async function isThere(link: string, from: string): Promise<boolean> {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? from : path;
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || (await anchorsOf(target)).has(anchor);
}

test.each(["README.md", "PROTOCOL.md", "SECURITY.md"])(
  "%s links only to files and headings that are there",
  async (document) => {
    const text = await readFile(join(root, document), "utf8");
    const links = Array.from(text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g), ([, link = ""]) => link);
    expect(links).not.toEqual([]);
    const found = await Promise.all(links.map((link) => isThere(link, document)));
    expect(links.filter((_, index) => !found[index])).toEqual([]);
  },
);
