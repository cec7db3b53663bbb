/**
 * Puts what benches found into README.md: `write-readme.ts FOUND.json...`, files that `--json` wrote.
 * A bench's tables stand between `<!-- NAME -->` and `<!-- /NAME -->`; everything else stays.
 */
import { readFile, writeFile } from "node:fs/promises";
import { tableText, type Report } from "./report.ts";

const readme = new URL("./README.md", import.meta.url);
const reports: Report[] = [];
for (const file of process.argv.slice(2)) {
  // Written by run.ts.
  reports.push(...(JSON.parse(await readFile(file, "utf8")) as Report[]));
}
const text = await readFile(readme, "utf8");
await writeFile(readme, reports.reduce(withFigures, text));

function withFigures(page: string, report: Report): string {
  const { bench, node, load, tables } = report;
  const start = `<!-- ${bench} -->`;
  const end = `<!-- /${bench} -->`;
  const [before, rest] = page.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) {
    throw new Error(`README.md has no place for ${bench}: ${start} and ${end}`);
  }
  const date = new Date().toISOString().slice(0, 10);
  const head = `**${bench}** (${date}, Node ${node}, load ${load})`;
  const figures = [start, head, ...tables.map(tableText), end].join("\n\n");
  return `${before}${figures}${after}`;
}
