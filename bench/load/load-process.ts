import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { LoadCommand, LoadOutcome, LoadPlan, LoadReport } from "./message.ts";

type ReportOf<Type extends LoadReport["type"]> = Extract<LoadReport, { type: Type }>;

/** What has not come by then is lost. */
const DONE_WITHIN_MS = 120_000;

/** Readers in a process of their own; what they find wrong rejects whatever is waited for. */
export class LoadProcess {
  readonly #child: ChildProcess;
  readonly #reports: LoadReport[] = [];
  #wake: () => void = () => undefined;

  constructor() {
    this.#child = fork(new URL("./reader.ts", import.meta.url));
    this.#child.on("message", (report: LoadReport) => this.#add(report));
    this.#child.on("exit", (code) => {
      this.#add({ type: "failed", message: `the reading process ended with ${code}` });
    });
  }

  /** Opens all sockets, without asking for anything yet. */
  async connect(plan: LoadPlan): Promise<void> {
    this.#send({ type: "connect", plan });
    await this.#next("connected");
  }

  /** Sends all requests at once; `answered` and `done` follow. */
  ask(): void {
    this.#send({ type: "ask" });
  }

  async answered(): Promise<void> {
    await this.#next("answered");
  }

  /** Resolves when every reader that is not stalled has every event; rejects when one is lost. */
  async done(): Promise<LoadOutcome> {
    const message = `some reader did not get its last event within ${DONE_WITHIN_MS} ms`;
    const late = setTimeout(() => this.#add({ type: "failed", message }), DONE_WITHIN_MS);
    try {
      return await this.#next("done");
    } finally {
      clearTimeout(late);
    }
  }

  async disconnect(): Promise<void> {
    this.#send({ type: "disconnect" });
    await this.#next("disconnected");
  }

  async stop(): Promise<void> {
    const exited = once(this.#child, "exit");
    this.#child.disconnect();
    await exited;
  }

  #send(command: LoadCommand): void {
    this.#child.send(command);
  }

  /** Reports come in a fixed order; those that were not asked for are skipped. */
  async #next<Type extends LoadReport["type"]>(type: Type): Promise<ReportOf<Type>> {
    for (;;) {
      const report = this.#reports.shift();
      if (report?.type === "failed") throw new Error(report.message);
      // Told apart by its type, which is the discriminant.
      if (report?.type === type) return report as ReportOf<Type>;
      if (report) continue;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #add(report: LoadReport): void {
    this.#reports.push(report);
    this.#wake();
  }
}
