import {
  DefaultReporter,
  type TestCase,
  type TestModule,
  type TestRunEndReason,
  type TestSpecification,
} from "vitest/node";
import type { SerializedError, UserConsoleLog } from "vitest";
import { KeptOutput } from "./kept-output.ts";
import { StatusLine } from "./status-line.ts";
import * as summary from "./run-summary.ts";

const showsAllOutput = process.env["TURNWIRE_TEST_LOG"] === "1";
const isSoak = process.env["TURNWIRE_SOAK"] === "1";

type Span = { files: number; start: number; end: number; sumMs: number };

function laneOf({ project }: TestModule | TestCase): string {
  return project.name;
}

function totalDuration(module: TestModule): number {
  const spent = module.diagnostic();
  return (
    spent.environmentSetupDuration +
    spent.prepareDuration +
    spent.collectDuration +
    spent.setupDuration +
    spent.duration
  );
}

function firstLine(text: string | undefined): string {
  return text?.split("\n", 1)[0] ?? "";
}

/**
 * On a terminal a status line and the failures as they happen, elsewhere one line per file. Then vitest's own
 * account of each error, the time per lane, the slowest tests, and the commands that repeat what failed.
 * The last line of the output is always the plain count that CI reads.
 */
export default class RunReporter extends DefaultReporter {
  readonly #status = new StatusLine(process.stdout, () => this.#statusText());
  readonly #output = new Map<string, KeptOutput>();
  readonly #spans = new Map<string, Span>();
  readonly #running = new Set<TestModule>();
  #files = { done: 0, total: 0 };
  #counts = { passed: 0, failed: 0, skipped: 0, pending: 0 };
  #closingLine: string | undefined;

  constructor() {
    super({ summary: false });
  }

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications);
    this.#output.clear();
    this.#spans.clear();
    this.#running.clear();
    this.#files = { done: 0, total: specifications.length };
    this.#counts = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    if (this.isTTY) this.#status.start();
  }

  override onTestModuleQueued(module: TestModule): void {
    this.#running.add(module);
    const lane = laneOf(module);
    if (this.#spans.has(lane)) return;
    const now = performance.now();
    this.#spans.set(lane, { files: 0, start: now, end: now, sumMs: 0 });
  }

  override onTestCaseResult(test: TestCase): void {
    const result = test.result();
    this.#counts[result.state] += 1;
    if (!this.isTTY || result.state !== "failed") return;
    this.log(`FAILED ${laneOf(test)} ${test.module.relativeModuleId} > ${test.fullName}`);
    for (const { message } of result.errors) this.log(`  ${firstLine(message)}`);
  }

  override onTestSuiteResult(): void {}

  override onTestModuleEnd(module: TestModule): void {
    this.#running.delete(module);
    this.#files.done += 1;
    const span = this.#spans.get(laneOf(module));
    if (span !== undefined) {
      span.files += 1;
      span.end = performance.now();
      span.sumMs += totalDuration(module);
    }
    const isFailed = !module.ok();
    if (isFailed || !this.isTTY) this.log(summary.fileLine(this.#fileResult(module, isFailed)));
    if (isFailed) this.#printOutput(module);
  }

  override onUserConsoleLog(log: UserConsoleLog): void {
    if (!this.shouldLog(log, "failed")) return;
    const task = log.taskId === undefined ? undefined : this.ctx.state.idMap.get(log.taskId);
    if (showsAllOutput || task === undefined) {
      this.#status.writeAbove(() => super.onUserConsoleLog(log, "failed"));
      return;
    }
    const kept = this.#output.get(task.file.id) ?? new KeptOutput();
    this.#output.set(task.file.id, kept);
    kept.add(`${log.type} of ${this.getFullName(task, " > ")}`, log.content);
  }

  override onTestRunEnd(
    modules: readonly TestModule[],
    unhandledErrors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    this.#status.stop();
    const failed = modules.filter((module) => !module.ok());
    for (const module of failed) this.#printOutput(module);
    super.onTestRunEnd(modules, unhandledErrors, reason);
    this.#printWaits(failed);
    this.#printTimes(modules);
    this.#printRepeat(failed);
    this.#closeWith(modules, unhandledErrors.length);
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- the signature of vitest
  override log(...messages: any): void {
    this.#status.writeAbove(() => super.log(...messages));
  }

  #statusText(): string {
    return summary.statusText({
      lanes: [...new Set([...this.#running].map(laneOf))],
      files: this.#files,
      passed: this.#counts.passed,
      failed: this.#counts.failed,
      elapsedMs: performance.now() - this.start,
    });
  }

  #fileResult(module: TestModule, isFailed: boolean): summary.FileResult {
    const states = [...module.children.allTests()].map((test) => test.result().state);
    return {
      lane: laneOf(module),
      path: module.relativeModuleId,
      isFailed,
      tests: states.length,
      failed: states.filter((state) => state === "failed").length,
      skipped: states.filter((state) => state === "skipped").length,
      durationMs: totalDuration(module),
    };
  }

  #printOutput(module: TestModule): void {
    for (const line of this.#output.get(module.id)?.take() ?? []) this.log(`  | ${line}`);
  }

  #printWaits(failed: readonly TestModule[]): void {
    for (const module of failed)
      for (const test of module.children.allTests("failed")) {
        const { waitedFor } = test.meta();
        if (waitedFor === undefined) continue;
        this.log(`Shortly before its time limit, ${module.relativeModuleId} > ${test.fullName}`);
        this.log(`had open:\n${waitedFor.map((line) => `  ${line}`).join("\n")}\n`);
      }
  }

  #printTimes(modules: readonly TestModule[]): void {
    if (modules.length === 0) return;
    const lanes = [...this.#spans].map(([lane, { files, start, end, sumMs }]) => ({
      lane,
      files,
      wallMs: end - start,
      sumMs,
    }));
    const tests = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => ({
        lane: laneOf(module),
        path: module.relativeModuleId,
        name: test.fullName,
        durationMs: test.diagnostic()?.duration ?? 0,
      })),
    );
    this.log(summary.laneTimeLines(lanes).join("\n"));
    this.log(`\n${summary.slowestTestLines(tests).join("\n")}\n`);
  }

  #printRepeat(failed: readonly TestModule[]): void {
    const { seed } = this.ctx.config.sequence;
    this.log(`Shuffled with seed ${seed}\n`);
    if (failed.length === 0) return;
    const files = failed.map((module) => ({ lane: laneOf(module), path: module.relativeModuleId }));
    this.log(`${summary.repeatLines(files, { seed, isSoak }).join("\n")}\n`);
  }

  #closeWith(modules: readonly TestModule[], unhandledErrors: number): void {
    const counts = { passed: 0, failed: unhandledErrors, skipped: 0, pending: 0 };
    for (const module of modules) {
      counts.failed += module.errors().length;
      for (const test of module.children.allTests()) counts[test.result().state] += 1;
    }
    if (this.#closingLine === undefined)
      process.on("exit", () => {
        console.log(this.#closingLine);
      });
    this.#closingLine = summary.closingLine(counts);
  }
}
