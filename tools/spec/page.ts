import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const MARKED = /<!-- generated: ([a-z-]+) -->\n[^]*?<!-- end -->/g;
const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = "docs/protocol";

/** A page of the protocol. */
export interface Page {
  /** From the top of the repository, such as `docs/protocol/events.md`. */
  readonly path: string;
  readonly text: string;
}

/** PROTOCOL.md and the pages of docs/protocol. */
export async function loadPages(): Promise<readonly Page[]> {
  const names = (await readdir(join(root, folder))).filter((name) => name.endsWith(".md"));
  const paths = ["PROTOCOL.md", ...names.toSorted().map((name) => `${folder}/${name}`)];
  const pages = paths.map(async (path) => ({
    path,
    text: await readFile(join(root, path), "utf8"),
  }));
  return Promise.all(pages);
}

/** The pages with every marked part replaced by its section. */
export function fillPages(
  pages: readonly Page[],
  sections: ReadonlyMap<string, string>,
): readonly Page[] {
  const used = new Set<string>();
  const filled = pages.map(({ path, text }) => ({
    path,
    text: text.replaceAll(MARKED, (_whole, name: string) => {
      const section = sections.get(name);
      if (section === undefined) throw new Error(`${path} has an unknown part: ${name}`);
      used.add(name);
      return `<!-- generated: ${name} -->\n\n${withLinksFrom(path, section)}\n\n<!-- end -->`;
    }),
  }));
  const missing = [...sections.keys()].filter((name) => !used.has(name));
  if (missing.length > 0) throw new Error(`No page has the parts ${missing.join(", ")}`);
  return filled;
}

/** Sections link to pages of docs/protocol by their file name. */
function withLinksFrom(page: string, section: string): string {
  const prefix = dirname(page) === folder ? "" : `${folder}/`;
  return section.replaceAll(/\]\(([a-z-]+\.md)(#[^)]*)?\)/g, (_link, file: string, hash = "") =>
    page === `${folder}/${file}` ? `](${hash})` : `](${prefix}${file}${hash})`,
  );
}
