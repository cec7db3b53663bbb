import type { SpawnedProcess } from "@anthropic-ai/claude-agent-sdk";
import { EventEmitter } from "node:events";
import { detach } from "@turnwire/base";
import type { ProcessExit, SupervisedProcess } from "@turnwire/runtime/process";

/** A supervised process in the shape that the SDK drives. */
export class ClaudeChildProcess extends EventEmitter implements SpawnedProcess {
  readonly stdin: SupervisedProcess["stdin"];
  readonly stdout: SupervisedProcess["stdout"];
  readonly #process: SupervisedProcess;
  #exit: ProcessExit | undefined;
  #isKilled = false;

  constructor(process: SupervisedProcess) {
    super();
    this.stdin = process.stdin;
    this.stdout = process.stdout;
    this.#process = process;
    // There may be no listener yet, and an unheard error event would end the server.
    this.on("error", () => undefined);
    detach(process.started, (error) => this.emit("error", error));
    const leaving = process.exited.then((exit) => {
      this.#exit = exit;
      this.emit("exit", exit.code, exit.signal);
    });
    detach(leaving, (error) => this.emit("error", error));
  }

  get killed(): boolean {
    return this.#isKilled;
  }

  get exitCode(): number | null {
    return this.#exit?.code ?? null;
  }

  get signalCode(): NodeJS.Signals | null {
    return this.#exit?.signal ?? null;
  }

  /** Whatever the signal, the whole group is ended, politely first. */
  kill(): boolean {
    this.#isKilled = true;
    detach(this.#process.stop(), (error) => this.emit("error", error));
    return true;
  }
}
