import { availableParallelism, cpus, loadavg } from "node:os";

/** A row of figures, in the order they are printed. */
export type Row = Readonly<Record<string, string | number>>;

/** One table of a bench: what was measured, and the figures. */
export interface Table {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** All that one bench found, and on what. */
export interface Report {
  readonly bench: string;
  readonly node: string;
  readonly machine: string;
  /** The load average when the bench ended: neighbours disturb figures, but ratios much less. */
  readonly load: number;
  readonly tables: readonly Table[];
}

/** Prints what a bench found: tables for people, or one line of JSON with `--json`. */
export function publish(bench: string, tables: readonly Table[]): void {
  const report = reportOf(bench, tables);
  console.log(process.argv.includes("--json") ? JSON.stringify(report) : textOf(report));
}

export function reportOf(bench: string, tables: readonly Table[]): Report {
  return {
    bench,
    node: process.version,
    machine: `${availableParallelism()} × ${cpus()[0]?.model ?? "unknown"}`,
    load: round(loadavg()[0] ?? Number.NaN, 2),
    tables,
  };
}

/** The tables in Markdown, so that they can go into a page as they are. */
export function textOf(report: Report): string {
  const head = `## ${report.bench}\n\nNode ${report.node}, ${report.machine}, load ${report.load}`;
  return [head, ...report.tables.map(tableText)].join("\n\n").concat("\n");
}

/** A table in Markdown below its title. */
export function tableText({ title, rows }: Table): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [names, ...rows.map((row) => names.map((name) => shown(row[name])))];
  const widths = names.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const printed = lines.map(
    (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`,
  );
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [`**${title}**`, "", printed[0], rule, ...printed.slice(1)].join("\n");
}

function shown(value: string | number | undefined): string {
  if (typeof value !== "number") return value ?? "";
  return value.toLocaleString("en", { maximumFractionDigits: 3 });
}

/** Writes progress to stderr, where it does not disturb results. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

export function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

export function median(figures: readonly number[]): number {
  return percentile(
    figures.toSorted((left, right) => left - right),
    0.5,
  );
}

/** Of sorted figures: the one that this share of them does not pass. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
