import { EventEmitter, once } from "node:events";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import type { TurnwireClient } from "@turnwire/client";
import { demo } from "@turnwire/runtime/demo";
import { runCli } from "../cli.ts";
import { connect, type Connection, findServer } from "../connection/server-address.ts";
import type { Context, StopSignal } from "../program/context.ts";
import type { InputStream, OutputStream } from "../terminal/stream.ts";

export interface CliRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Takes all that is written; `text` has it. */
class Capture extends PassThrough {
  text = "";

  constructor() {
    super();
    this.on("data", (chunk: Buffer) => {
      this.text += chunk.toString();
      this.emit("captured");
    });
  }

  /** Resolves when the text matches. */
  async until(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.text);
      if (match) return match;
      await once(this, "captured");
    }
  }
}

export interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: InputStream;
  readonly stdout?: OutputStream;
  readonly stderr?: OutputStream;
  /** A built web app; without it the server has its plain page. */
  readonly webRoot?: string;
}

/** A program that is running in this process. */
export interface StartedCli {
  readonly stdout: Capture;
  readonly stderr: Capture;
  readonly exited: Promise<number>;
  /** Codes of immediate exits that were asked for. */
  readonly exits: readonly number[];
  signal(signal: StopSignal): void;
}

/** A home directory of its own, with the directory in which programs are started. */
export async function createHome(): Promise<string> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "turnwire-cli-")));
  await mkdir(join(home, "work"));
  return home;
}

/** A machine of its own for a test: a home directory, a quick demo agent, no signals from outside. */
export class TestMachine {
  readonly home: string;
  /** What programs on this machine have for agents. */
  createRuntimes: Context["createRuntimes"] = async () => [demo({ delayMs: 0 })];
  readonly #env: Readonly<Record<string, string>>;

  constructor(home: string, env: Readonly<Record<string, string>> = {}) {
    this.home = home;
    // A test that stops a server has seen what it wanted: no turn is worth waiting for.
    this.#env = { TURNWIRE_STORE: "memory", TURNWIRE_DRAIN_SECONDS: "0", ...env };
  }

  /** Its sessions are kept in memory, unless the environment names another store. */
  static async create(env: Readonly<Record<string, string>> = {}): Promise<TestMachine> {
    return new TestMachine(await createHome(), env);
  }

  /** Where the programs are started. */
  get cwd(): string {
    return join(this.home, "work");
  }

  get dataDirectory(): string {
    return join(this.home, ".turnwire");
  }

  start(args: readonly string[], options: RunOptions = {}): StartedCli {
    const stdout = new Capture();
    const stderr = new Capture();
    const signals = new EventEmitter();
    const exits: number[] = [];
    const context: Context = {
      env: { PATH: "", ...this.#env, ...options.env },
      cwd: this.cwd,
      home: this.home,
      stdin: options.stdin ?? Readable.from(options.input === undefined ? [] : [options.input]),
      stdout: options.stdout ?? stdout,
      stderr: options.stderr ?? stderr,
      onSignal(listener) {
        signals.on("signal", listener);
        return () => signals.off("signal", listener);
      },
      exit: (code) => exits.push(code),
      createRuntimes: this.createRuntimes,
      webRoot: options.webRoot,
    };
    return {
      stdout,
      stderr,
      exits,
      exited: runCli(args, context),
      signal: (signal) => signals.emit("signal", signal),
    };
  }

  async run(args: readonly string[], options: RunOptions = {}): Promise<CliRun> {
    const { exited, stdout, stderr } = this.start(args, options);
    const code = await exited;
    return { code, stdout: stdout.text, stderr: stderr.text };
  }

  /** A server on this machine's data, until `stop`. */
  async serve(...args: readonly string[]): Promise<{ url: string; stop: () => Promise<number> }> {
    const server = this.start(["serve", "--json", "--port", "0", ...args]);
    const failed = server.exited.then((code) => {
      throw new Error(`serve ended with ${code}: ${server.stderr.text}`);
    });
    const [line] = await Promise.race([server.stdout.until(/^.*\n/), failed]);
    failed.catch(() => undefined);
    const { url } = JSON.parse(line) as { url: string };
    return {
      url,
      stop: () => {
        server.signal("SIGTERM");
        return server.exited;
      },
    };
  }

  /** Where the server is that runs on this machine's data. */
  connection(): Promise<Connection | undefined> {
    return findServer({ url: undefined, dataDirectory: this.dataDirectory, env: {} });
  }

  /** A client of the server that runs on this machine's data. */
  client(): Promise<TurnwireClient> {
    return connect({ url: undefined, dataDirectory: this.dataDirectory, env: {} });
  }

  async remove(): Promise<void> {
    await rm(this.home, { recursive: true, force: true });
  }
}
