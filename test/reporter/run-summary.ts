/** The time that a lane took: from its first file to its last, and of all its files together. */
export type LaneTime = {
  readonly lane: string;
  readonly files: number;
  readonly wallMs: number;
  readonly sumMs: number;
};

export type FileResult = {
  readonly lane: string;
  readonly path: string;
  readonly isFailed: boolean;
  readonly tests: number;
  readonly failed: number;
  readonly skipped: number;
  readonly durationMs: number;
};

export type TestTime = {
  readonly lane: string;
  readonly path: string;
  readonly name: string;
  readonly durationMs: number;
};

export type Progress = {
  readonly lanes: readonly string[];
  readonly files: { readonly done: number; readonly total: number };
  readonly passed: number;
  readonly failed: number;
  readonly elapsedMs: number;
};

export type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number };

export function formatDuration(durationMs: number): string {
  if (durationMs < 59_950) return `${(durationMs / 1000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}

/** One line per finished file, such as `ok unit packages/log/src/log.test.ts (3 tests, 0.2 s)`. */
export function fileLine(file: FileResult): string {
  const facts = [file.tests === 1 ? "1 test" : `${file.tests} tests`];
  if (file.failed > 0) facts.push(`${file.failed} failed`);
  if (file.skipped > 0) facts.push(`${file.skipped} skipped`);
  facts.push(formatDuration(file.durationMs));
  return `${file.isFailed ? "FAILED" : "ok"} ${file.lane} ${file.path} (${facts.join(", ")})`;
}

export function statusText({ lanes, files, passed, failed, elapsedMs }: Progress): string {
  const lane = lanes.length === 0 ? "starting" : lanes.join(", ");
  return `${lane} | files ${files.done}/${files.total} | ${passed} passed, ${failed} failed | ${formatDuration(elapsedMs)}`;
}

/** Left column to the left, all others to the right. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) => {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths![column]!) : cell.padStart(widths![column]!),
    );
    return `  ${cells.join("  ")}`;
  });
}

export function laneTimeLines(times: readonly LaneTime[]): string[] {
  const rows = times.map(({ lane, files, wallMs, sumMs }) => [
    lane,
    String(files),
    formatDuration(wallMs),
    formatDuration(sumMs),
  ]);
  return ["Time per lane", ...table([["lane", "files", "wall", "sum of files"], ...rows])];
}

export function slowestTestLines(tests: readonly TestTime[], limit = 10): string[] {
  const slowest = tests.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, limit);
  const durations = slowest.map(({ durationMs }) => formatDuration(durationMs));
  const width = Math.max(...durations.map(({ length }) => length));
  return [
    "Slowest tests",
    ...slowest.map(
      ({ lane, path, name }, index) =>
        `  ${durations[index]!.padStart(width)}  ${lane} ${path} > ${name}`,
    ),
  ];
}

/** One command per failed file: tests are shuffled within their file, so the file and the seed repeat the order. */
export function repeatLines(
  failed: readonly { readonly lane: string; readonly path: string }[],
  { seed, isSoak }: { readonly seed: number; readonly isSoak: boolean },
): string[] {
  const environment = isSoak ? "TURNWIRE_SOAK=1 " : "";
  return [
    "Repeat",
    ...failed.map(
      ({ lane, path }) =>
        `  ${environment}npx vitest run --project ${lane} ${path} --sequence.seed=${seed}`,
    ),
  ];
}

/** CI reads this line. */
export function closingLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
