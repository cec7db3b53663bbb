import { figuresOf, type PackageFigures } from "./import-graph/figures.ts";
import { packageSources } from "./import-graph/source-file.ts";

// Prints what the imports of each package amount to; the architecture test holds the limits.

const titles = [
  "package",
  "files",
  "lines",
  "folders",
  "largest folder",
  "cycles",
  "with types",
  "against order",
  "exported",
];

function rowOf(name: string, figures: PackageFigures): string[] {
  return [
    name,
    `${figures.files}`,
    `${figures.lines}`,
    `${figures.folders}`,
    `${figures.largest.files} ${figures.largest.folder}`,
    `${figures.cycles.length}`,
    `${figures.typeCycles.length}`,
    `${figures.against.length}`,
    `${figures.exported}`,
  ];
}

const figures = [...packageSources()].map(([name, files]) => [name, figuresOf(files)] as const);
const rows = [titles, ...figures.map(([name, of]) => rowOf(name, of))];
const widths = titles.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
for (const row of rows) {
  console.log(
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
for (const [name, { typeCycles, against }] of figures) {
  for (const group of typeCycles) console.log(`${name}: ${group.join(", ")} import each other`);
  for (const fault of against) console.log(fault);
}
