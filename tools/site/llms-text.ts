import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { repository, type Page, type Section } from "./page-list.ts";

/** The list of pages for a language model, as llmstxt.org describes it. */
export function llmsText(sections: readonly Section[]): string {
  const [start] = sections[0]?.pages ?? [];
  const lists = sections.map(({ title, pages }) => {
    const lines = pages.map((page) => `- [${page.title}](${page.link})${described(page)}`);
    return `## ${title}\n\n${lines.join("\n")}`;
  });
  return `# Turnwire\n\n> ${start?.summary ?? ""}\n\n${lists.join("\n\n")}\n`;
}

/** All pages but the generated ones, one after the other. */
export async function llmsFullText(pages: readonly Page[]): Promise<string> {
  const texts = pages
    .filter(({ path }) => !path.startsWith("docs/api/"))
    .map(async ({ path, link }) => {
      const text = await readFile(join(repository, path), "utf8");
      return `<!-- ${link} -->\n\n${text.trim()}\n`;
    });
  return (await Promise.all(texts)).join("\n");
}

function described({ summary }: Page): string {
  return summary === "" ? "" : `: ${summary}`;
}
