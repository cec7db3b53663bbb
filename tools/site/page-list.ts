import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The top of the repository: the site's pages are its own documents, so that there is one of each. */
export const repository = fileURLToPath(new URL("../..", import.meta.url));

/** One document as a page of the site. */
export interface Page {
  readonly path: string;
  readonly title: string;
  /** Its first paragraph, without marks. */
  readonly summary: string;
  /** Where it is on the site, without an ending. */
  readonly link: string;
}

export interface Section {
  readonly title: string;
  readonly pages: readonly Page[];
}

/** All pages in the order in which the site lists them. */
export function sections(): Section[] {
  return [
    { title: "Start", pages: ["README.md", "apps/web/README.md"] },
    { title: "Guides", pages: inFolder("docs/guides") },
    {
      title: "Reference",
      pages: ["PROTOCOL.md", "GLOSSARY.md", "SECURITY.md", "docs/public-surface.md"],
    },
    { title: "Protocol", pages: inFolder("docs/protocol") },
    { title: "Packages", pages: [...inFolders("packages"), ...inFolder("docs/packages")] },
    { title: "Examples", pages: ["examples/README.md", ...inFolders("examples")] },
    { title: "API", pages: inFolder("docs/api") },
    {
      title: "Inside",
      pages: ["ARCHITECTURE.md", "CONTRIBUTING.md", "REVIEW.md", "bench/README.md", "docs/size.md"],
    },
    { title: "Decisions", pages: inFolder("docs/decisions") },
  ].map(({ title, pages }) => ({ title, pages: pages.map(pageAt) }));
}

/** A folder's own page, then the others by name. */
function inFolder(folder: string): string[] {
  const names = readdirSync(join(repository, folder)).filter((name) => name.endsWith(".md"));
  const others = names.filter((name) => name !== "README.md").toSorted();
  return [...(names.includes("README.md") ? ["README.md"] : []), ...others].map(
    (name) => `${folder}/${name}`,
  );
}

/** The own pages of the folders in a folder. */
function inFolders(folder: string): string[] {
  return readdirSync(join(repository, folder))
    .toSorted()
    .map((name) => `${folder}/${name}/README.md`)
    .filter((path) => existsSync(join(repository, path)));
}

function pageAt(path: string): Page {
  const text = readFileSync(join(repository, path), "utf8");
  const title = /^# (.+)$/m.exec(text)?.[1];
  if (title === undefined) throw new Error(`${path} has no heading.`);
  const [, ...rest] = text.split(/^# .+$/m);
  return {
    path,
    title: plain(title),
    summary: plain(firstParagraph(rest.join(""))),
    link: `/${path.replace(/(^|\/)README\.md$/, "$1").replace(/\.md$/, "")}`,
  };
}

function firstParagraph(markdown: string): string {
  const paragraphs = markdown.trim().split(/\n\s*\n/);
  return paragraphs.find((paragraph) => /^[\p{L}*`[]/u.test(paragraph)) ?? "";
}

/** Markdown without its marks. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[*`]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
