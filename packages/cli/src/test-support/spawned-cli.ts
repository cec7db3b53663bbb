import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { builtProgram } from "../../../../test/support/built-program.ts";
import type { TestMachine } from "./cli-run.ts";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

/** What `serve --json` prints. */
export interface ServeReport {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly data: string;
  readonly login_url: string | null;
  readonly token_file: string | null;
}

type Environment = Readonly<Record<string, string>>;

/** The program as it runs from a clone, which takes seconds to start. */
export const programFromSource = ["--import", "tsx", "--conditions=@turnwire/source", main];

/** The real program in processes of their own. */
export class SpawnedClis {
  readonly #machine: TestMachine;
  readonly #program: readonly string[];
  readonly #children: ChildProcess[] = [];

  constructor(machine: TestMachine, program: readonly string[]) {
    this.#machine = machine;
    this.#program = program;
  }

  static async create(machine: TestMachine): Promise<SpawnedClis> {
    return new SpawnedClis(machine, [await builtProgram(main)]);
  }

  run(args: readonly string[], env: Environment = {}) {
    const child = spawn(process.execPath, [...this.#program, ...args], {
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: this.#machine.home,
        TURNWIRE_ROOT: this.#machine.cwd,
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#children.push(child);
    const exited = once(child, "exit").then(([code, signal]) => ({ code, signal }));
    return { child, exited, stderr: text(child.stderr), stdout: child.stdout };
  }

  /** A server that is ready. */
  async serve(args: readonly string[] = [], env?: Environment) {
    const server = this.run(["serve", "--port", "0", "--json", ...args], env);
    const lines = createInterface({ input: server.stdout });
    const all: string[] = [];
    lines.on("line", (line) => all.push(line));
    const failed = server.exited.then(async ({ code }) => {
      throw new Error(`serve ended with ${code}: ${await server.stderr}`);
    });
    await Promise.race([once(lines, "line"), failed]);
    failed.catch(() => undefined);
    return { ...server, lines: all, report: JSON.parse(all[0] ?? "") as ServeReport };
  }

  /** Ends those that still run. */
  async end(): Promise<void> {
    for (const child of this.#children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  }
}
