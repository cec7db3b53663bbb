import type { Reporter, TestModule } from "vitest/node";

/** Ends the run with one plain line that any CI can read. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      count.failed += module.errors().length;
      for (const test of module.children.allTests()) count[test.result().state] += 1;
    }
    process.on("exit", () => {
      console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
    });
  }
}
