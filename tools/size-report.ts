import { writeFile } from "node:fs/promises";
import { budgets, measure, type Size } from "./size.ts";

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

function row(name: string, limit: number, { own, whole, foreign }: Size): string {
  const others = foreign.length === 0 ? "nothing" : foreign.join(", ");
  return `| \`@turnwire/${name}\` | ${kilobytes(own)} | ${kilobytes(whole)} | ${kilobytes(limit)} | ${others} |`;
}

const rows: string[] = [];
for (const { name, limit } of budgets) rows.push(row(name, limit, await measure(name)));

const report = `# Size

What a page pays, minified and gzipped (1 kB = 1000 bytes), when it uses all of a package and, with the bindings, of the client; made by \`npm run size\`. Bundlers leave out what is not used. React and Svelte themselves are not counted. A test fails over the limit.

| package | own code | with all it needs | limit | of others in it |
|---|---:|---:|---:|---|
${rows.join("\n")}
`;

await writeFile(new URL("../docs/size.md", import.meta.url), report);
console.log(report);
