/** The part of vitest's JSON report that we read. */
export interface TestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
}

export interface FailedTest {
  /** Relative to the repository. */
  readonly path: string;
  /** A file that could not be run has no test to name. */
  readonly name: string;
  readonly message: string;
}

/** A test that failed at least once, with the seeds of those runs. */
export interface FlakyTest extends FailedTest {
  readonly seeds: readonly number[];
}

function firstLine(text: string | undefined): string {
  return text?.split("\n", 1)[0] ?? "";
}

export function failedTests(report: TestReport, root: string): FailedTest[] {
  return report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const path = name.startsWith(`${root}/`) ? name.slice(root.length + 1) : name;
    const failed = assertionResults
      .filter((result) => result.status === "failed")
      .map(({ fullName, failureMessages }) => ({
        path,
        name: fullName,
        message: firstLine(failureMessages?.[0]),
      }));
    if (failed.length > 0 || status !== "failed") return failed;
    return [{ path, name: "(the file)", message: firstLine(message) }];
  });
}

/** One entry per test, those that failed most often first. */
export function flakyTests(
  runs: readonly { readonly seed: number; readonly failed: readonly FailedTest[] }[],
): FlakyTest[] {
  const found = new Map<string, FailedTest & { seeds: number[] }>();
  for (const { seed, failed } of runs)
    for (const test of failed) {
      const key = `${test.path} > ${test.name}`;
      const known = found.get(key) ?? { ...test, seeds: [] };
      known.seeds.push(seed);
      found.set(key, known);
    }
  return [...found.values()].toSorted((a, b) => b.seeds.length - a.seeds.length);
}
