import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { defineConfig } from "vitepress";
import { anchorOf } from "../../../tools/site/anchor.ts";
import { repository, sections } from "../../../tools/site/page-list.ts";

const listed = sections();
const linkOf = new Map(listed.flatMap(({ pages }) => pages.map(({ path, link }) => [path, link])));

/** Files that are no pages are linked where the repository shows them. */
const sources = "https://github.com/turnwire/turnwire/blob/main";

export default defineConfig({
  title: "Turnwire",
  description:
    "Coding agents as durable sessions: one ordered log, any number of clients, each in the protocol it already speaks.",
  lang: "en",
  // Written by tools/site/build.ts: the documents and their pictures.
  srcDir: "dist/source",
  cacheDir: "node_modules/.cache",
  rewrites: (path) => path.replace(/(^|\/)README\.md$/, "$1index.md"),
  cleanUrls: true,
  markdown: {
    anchor: { slugify: anchorOf },
    config(markdown) {
      // These are documents, not Vue templates: `{{…}}` in code means what it says.
      markdown.renderer.rules.code_inline = (tokens, index) =>
        `<code v-pre>${markdown.utils.escapeHtml(tokens[index]?.content ?? "")}</code>`;
      markdown.core.ruler.push("source_links", (state) => {
        const from = posix.dirname(state.env.relativePath ?? "");
        for (const { children } of state.tokens) {
          for (const token of children ?? []) {
            const href = token.type === "link_open" ? token.attrGet("href") : null;
            if (href !== null) token.attrSet("href", linkFrom(from, href));
          }
        }
      });
    },
  },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Guides", link: "/docs/guides/" },
      { text: "Protocol", link: "/PROTOCOL" },
      { text: "API", link: "/docs/api/" },
      { text: "Architecture", link: "/ARCHITECTURE" },
    ],
    sidebar: listed.map(({ title, pages }, index) => ({
      text: title,
      collapsed: index > 2,
      items: pages.map((page) => ({ text: page.title, link: page.link })),
    })),
  },
});

/** A link as the site needs it: to a page, else to the source. */
function linkFrom(folder: string, href: string): string {
  if (/^([a-z]+:|#|\/)/.test(href)) return href;
  const [file = "", hash] = href.split("#");
  const target = posix.join(folder, decodeURI(file));
  const suffix = hash === undefined ? "" : `#${hash}`;
  const page = linkOf.get(target) ?? linkOf.get(posix.join(target, "README.md"));
  if (page !== undefined) return page + suffix;
  if (!existsSync(join(repository, target))) throw new Error(`Dead link ${href} in ${folder}`);
  return `${sources}/${target}${suffix}`;
}
