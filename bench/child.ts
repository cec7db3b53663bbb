import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

/** Reports of any process of a bench, in addition to its answer. */
export interface FailureReport {
  readonly type: "failed";
  readonly message: string;
}

type Reported<Report extends { readonly type: string }, Type extends string> = Extract<
  Report,
  { type: Type }
>;

/** What has not come by then never comes. */
const WITHIN_MS = 120_000;

const running = new Set<ChildProcess>();
process.on("exit", endChildren);

/** Ends every process that a bench has started and not stopped, at once. */
export function endChildren(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** A process of its own for a part of a bench: takes commands, and reports in the order it was asked. */
export class BenchChild<
  Command extends object,
  Report extends { readonly type: string } | FailureReport,
> {
  readonly #name: string;
  readonly #child: ChildProcess;
  readonly #reports: (Report | FailureReport)[] = [];
  #wake: () => void = () => undefined;

  constructor(name: string, file: URL, args: readonly string[] = []) {
    this.#name = name;
    this.#child = fork(file, args);
    running.add(this.#child);
    this.#child.on("message", (report: Report) => this.#add(report));
    this.#child.on("exit", (code, signal) => {
      running.delete(this.#child);
      this.#add({ type: "failed", message: `${name} ended with ${code ?? signal}` });
    });
  }

  send(command: Command): void {
    this.#child.send(command);
  }

  /** The next report of this type; those that were not asked for are skipped, and a failure rejects. */
  async next<Type extends Report["type"]>(type: Type): Promise<Reported<Report, Type>> {
    const message = `${this.#name} did not report "${type}" within ${WITHIN_MS} ms`;
    const late = setTimeout(() => this.#add({ type: "failed", message }), WITHIN_MS);
    try {
      for (;;) {
        const report = this.#reports.shift();
        if (isFailure(report)) throw new Error(report.message);
        // Told apart by its type, which is the discriminant.
        if (report?.type === type) return report as Reported<Report, Type>;
        if (report) continue;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      clearTimeout(late);
    }
  }

  /** Lets it end by itself. */
  async stop(): Promise<void> {
    const exited = once(this.#child, "exit");
    this.#child.disconnect();
    await exited;
  }

  #add(report: Report | FailureReport): void {
    this.#reports.push(report);
    this.#wake();
  }
}

function isFailure(report: { readonly type: string } | undefined): report is FailureReport {
  return report?.type === "failed";
}
