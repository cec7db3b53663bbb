import { runChecks, type Check } from "./check.ts";

/** Runs checks for a person at a terminal; the exit code is 1 when one failed. */
export async function reportChecks<Subject>(
  checks: readonly Check<Subject>[],
  subject: Subject,
): Promise<void> {
  let failed = 0;
  for await (const { name, failure } of runChecks(checks, subject)) {
    console.log(`${failure === undefined ? "ok  " : "FAIL"} ${name}`);
    if (failure === undefined) continue;
    failed += 1;
    console.log(failure instanceof Error ? failure.message : failure);
  }
  console.log(`${checks.length - failed} of ${checks.length} checks passed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
