import type { Reporter, TestModule } from "vitest/node";

/** Names the tests that failed before they passed, and ends the run with one plain line that any CI can read. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    const flaky: string[] = [];
    for (const module of modules) {
      count.failed += module.errors().length;
      for (const test of module.children.allTests()) {
        count[test.result().state] += 1;
        if (test.diagnostic()?.flaky) flaky.push(`${module.relativeModuleId}: ${test.fullName}`);
      }
    }
    process.on("exit", () => {
      for (const name of flaky) console.log(`passed only when it was tried again: ${name}`);
      console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
    });
  }
}
