import { execFile } from "node:child_process";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { llmsFullText, llmsText } from "./llms-text.ts";
import { repository, sections, type Page } from "./page-list.ts";

const run = promisify(execFile);
const site = join(repository, "docs/site");
const pagesFolder = join(site, "dist/source");
/** The lock file that was installed: another one means to install again. */
const stamp = join(site, "node_modules/.installed-lock.json");

/** Builds the documentation site; a dead link fails it. */
export async function buildSite(output: string, onProgress: (text: string) => void): Promise<void> {
  const lock = await readFile(join(site, "package-lock.json"), "utf8");
  if ((await readFile(stamp, "utf8").catch(() => "")) !== lock) {
    onProgress("Installing VitePress (about 100 MB) into docs/site with npm…");
    await run("npm", ["install", "--no-save", "--ignore-scripts"], { cwd: site });
    await writeFile(stamp, lock);
  }
  onProgress("Writing the API reference…");
  await run("npm", ["run", "--silent", "api"], { cwd: repository });
  const listed = sections();
  const pages = listed.flatMap((section) => section.pages);
  await rm(pagesFolder, { recursive: true, force: true });
  for (const page of pages) await copyPage(page);
  onProgress(`Building ${pages.length} pages…`);
  const vitepress = join(site, "node_modules/vitepress/bin/vitepress.js");
  await run(process.execPath, [vitepress, "build", ".", "--outDir", output], { cwd: site });
  await writeFile(join(output, "llms.txt"), llmsText(listed));
  await writeFile(join(output, "llms-full.txt"), await llmsFullText(pages));
}

/** A document and the pictures that it shows. */
async function copyPage({ path }: Page): Promise<void> {
  const text = await readFile(join(repository, path), "utf8");
  const target = join(pagesFolder, path);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, text);
  for (const [, picture = ""] of text.matchAll(/!\[[^\]]*\]\(([^)\s:]+)\)/g)) {
    const source = join(repository, dirname(path), picture);
    await cp(source, join(dirname(target), picture), { recursive: true });
  }
}
