import type { SessionInfo } from "@turnwire/protocol";
import { demo } from "@turnwire/runtime/demo";
import { AnsweringRuntime, type Reply } from "./answering-runtime.ts";
import { createHome, TestMachine } from "./cli-run.ts";

/** What `turnwire run` prints as JSON. */
export interface RunReport {
  readonly outcome: string;
  readonly session_id: string;
  readonly iterations: number;
  readonly steps: readonly {
    type: string;
    session_id: string;
    turn_id: string;
    verdict?: string;
    outcome: string;
  }[];
}

/** A machine with a server, a worker and a reviewer, whose answers the test gives. */
export class RunMachine extends TestMachine {
  readonly says: { work: Reply; review: Reply } = {
    work: () => "It is mended.",
    review: () => "Fine.\nPASS",
  };
  readonly worker = new AnsweringRuntime("worker", (prompt, turn) => this.says.work(prompt, turn));
  readonly reviewer = new AnsweringRuntime("reviewer", (prompt, turn) =>
    this.says.review(prompt, turn),
  );
  /** Where its server is. */
  url = "";
  #stop: (() => Promise<number>) | undefined;

  static override async create(): Promise<RunMachine> {
    const machine = new RunMachine(await createHome());
    const { worker, reviewer } = machine;
    machine.createRuntimes = async () => [worker, reviewer, demo({ delayMs: 0 })];
    try {
      const { stop, url } = await machine.serve("--runtime", "worker");
      machine.#stop = stop;
      machine.url = url;
      return machine;
    } catch (error) {
      await machine.remove();
      throw error;
    }
  }

  async report(...args: readonly string[]): Promise<{ code: number; report: RunReport }> {
    const { code, stdout, stderr } = await this.run(["run", ...args, "--output-format", "json"]);
    if (stdout === "") throw new Error(stderr);
    return { code, report: JSON.parse(stdout) as RunReport };
  }

  async sessions(): Promise<readonly SessionInfo[]> {
    return (await (await this.client()).sessions.list()).sessions;
  }

  async stopServer(): Promise<void> {
    await this.#stop?.();
    this.#stop = undefined;
  }

  override async remove(): Promise<void> {
    await this.stopServer();
    await super.remove();
  }
}
