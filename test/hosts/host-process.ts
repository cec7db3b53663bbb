import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createClient } from "@turnwire/client";

export interface HostOptions {
  readonly name: string;
  /** Its own: home, data and log are kept in it. */
  readonly directory: string;
  readonly token: string;
  /** Where the agents of all hosts work. */
  readonly root: string;
  /** The program `turnwire`. */
  readonly main: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A `turnwire serve` of its own, to be stopped in every way there is and started again. */
export class HostProcess {
  readonly name: string;
  readonly #options: HostOptions;
  #child: ChildProcess | undefined;
  #port: number | undefined;
  #hostId: string | undefined;

  constructor(options: HostOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** Where it listens; undefined while it does not run. */
  get port(): number | undefined {
    return this.#port;
  }

  /** Resolves when it listens, rejects when it ended first. */
  async start(): Promise<void> {
    const { directory, token, root, main, env = {} } = this.#options;
    const child = spawn(
      process.execPath,
      [main, "serve", "--port", "0", "--json", "--runtime", "demo", "--root", root],
      {
        env: {
          PATH: process.env["PATH"] ?? "",
          HOME: directory,
          TURNWIRE_DATA: join(directory, "data"),
          TURNWIRE_TOKEN: token,
          ...env,
        },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    this.#child = child;
    child.stderr.pipe(createWriteStream(join(directory, "log"), { flags: "a" }));
    child.once("exit", () => {
      if (this.#child === child) this.#port = undefined;
    });
    const lines = createInterface({ input: child.stdout });
    const ended = once(child, "exit").then(([code, signal]) => {
      throw new Error(`${this.name} ended (${code ?? signal}): see ${join(directory, "log")}`);
    });
    const [line] = await Promise.race([once(lines, "line"), ended]);
    ended.catch(() => undefined);
    const port = portFrom(JSON.parse(String(line)));
    this.#hostId = await findHostId(`http://127.0.0.1:${port}`, token);
    this.#port = port;
  }

  /** The holder of its leases; another one after each start. */
  get hostId(): string | undefined {
    return this.#hostId;
  }

  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** Asks it to finish; answers with its exit code. */
  async drain(): Promise<number | null> {
    return this.#end("SIGTERM");
  }

  /** It does nothing more until `resume`, and does not notice. */
  pause(): void {
    this.#child?.kill("SIGSTOP");
  }

  resume(): void {
    this.#child?.kill("SIGCONT");
  }

  /** Resolves with its exit code when it has ended by itself. */
  async exited(): Promise<number | null> {
    const child = this.#child;
    if (child && child.exitCode === null && child.signalCode === null) await once(child, "exit");
    return child?.exitCode ?? null;
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (!child) return null;
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, "exit");
      child.kill(signal);
      await exited;
    }
    return child.exitCode;
  }
}

function portFrom(report: unknown): number {
  if (typeof report !== "object" || report === null || !("port" in report)) {
    throw new Error("serve --json did not report its port");
  }
  return Number(report.port);
}

/** Undefined before the store has heard from it. */
async function findHostId(url: string, token: string): Promise<string | undefined> {
  const { hosts } = await createClient({ url, token }).hosts();
  return hosts.find(({ is_current }) => is_current)?.host_id;
}
