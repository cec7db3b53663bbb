/** One promise, tried: `run` rejects with what is wrong. Needs no test runner. */
export interface Check<Subject> {
  readonly name: string;
  readonly run: (subject: Subject) => Promise<void>;
}

export interface CheckReport {
  readonly name: string;
  /** Undefined when the promise is kept. */
  readonly failure: unknown;
}

/** Runs checks one after the other and hands out each report as it comes. */
export async function* runChecks<Subject>(
  checks: readonly Check<Subject>[],
  subject: Subject,
): AsyncGenerator<CheckReport> {
  for (const { name, run } of checks) {
    try {
      await run(subject);
      yield { name, failure: undefined };
    } catch (error) {
      yield { name, failure: error ?? new Error("failed without a reason") };
    }
  }
}
