import { detach, ignore, systemClock } from "@turnwire/base";
import { LineReader, SupervisedProcess } from "@turnwire/runtime/process";
import { type RunOptions, RuntimeError } from "@turnwire/runtime";
import { codexBinary } from "../setting/binary.ts";
import { defaultAgentConfig } from "../setting/default-agent.ts";
import { codexEnvironment } from "../setting/environment.ts";
import { firstStart } from "../setting/first-start.ts";
import { prepareHome } from "../setting/home.ts";
import { configArguments, type CodexConfig, type CodexOptions } from "../setting/options.ts";
import { projectConfig } from "../setting/project-config.ts";
import type { SandboxMode } from "../setting/policy.ts";

/** The settings of one turn. */
export interface ExecTurn {
  readonly run: RunOptions;
  readonly prompt: string;
  readonly sandbox: SandboxMode;
  readonly model: string | undefined;
  readonly effort: string | undefined;
  /** The thread to resume. */
  readonly threadId: string | undefined;
}

/** How long the end of the output is waited for once the process is gone. */
const drainMs = 100;

/** One `codex exec` process, which lives for a turn. */
export class TurnProcess {
  /** Resolves when it has said anything, to whether it did before its end. */
  readonly answered: Promise<boolean>;
  readonly #process: SupervisedProcess;
  readonly #reader: LineReader;
  #markAnswered: () => void = ignore;

  private constructor(process: SupervisedProcess) {
    this.#process = process;
    this.answered = new Promise((resolve) => {
      this.#markAnswered = () => resolve(true);
      detach(
        process.exit.then(() => resolve(false)),
        ignore,
      );
    });
    this.#reader = new LineReader(process.stdout, {
      clock: systemClock,
      maxLineBytes: 16 * 1024 * 1024,
      drainMs,
    });
    detach(
      process.exit.then(() => this.#reader.markExited()),
      () => undefined,
    );
  }

  /** Starts the turn. Rejects with a RuntimeError. */
  static start(options: CodexOptions, turn: ExecTurn): Promise<TurnProcess> {
    const start = (): Promise<TurnProcess> => TurnProcess.#start(options, turn);
    return firstStart(options.home, start, ({ answered }) => answered);
  }

  static async #start(options: CodexOptions, turn: ExecTurn): Promise<TurnProcess> {
    const { executable, registry, limits, logger } = options;
    const { cwd, sessionId } = turn.run;
    const process = new SupervisedProcess({
      command: codexBinary(executable),
      args: execArguments(turn, {
        ...(await prepareHome(options)),
        ...(await defaultAgentConfig(options, turn.run)),
        ...options.config,
        ...(await projectConfig(turn.run)),
      }),
      cwd,
      env: codexEnvironment(options),
      sessionId,
      ...(registry && { registry }),
      ...(logger && { logger }),
      // Its input has ended at its start: the end of it would stop nothing.
      limits: { ...limits, endMs: 0 },
    });
    const started = new TurnProcess(process);
    await process.started;
    process.stdin.end(turn.prompt);
    return started;
  }

  /** Its output, a JSON value per line; other lines are left out. Ends with the process. */
  async *messages(): AsyncGenerator {
    for await (const line of this.#reader) {
      this.#markAnswered();
      const message = line.type === "line" ? jsonFrom(line.text) : undefined;
      if (message !== undefined) yield message;
    }
  }

  /** Why it ended, for people; after the end of its messages. */
  async ending(): Promise<RuntimeError> {
    const { code, signal } = await this.#process.exited;
    const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
    const said = this.#process.stderr().trim().slice(-500);
    return new RuntimeError("exited", `Codex ${how} before its turn did.${said && ` ${said}`}`);
  }

  /** Ends the process and the commands it runs; resolves when they are gone. */
  async stop(): Promise<void> {
    await this.#process.stop();
    this.#reader.discard();
  }

  /** Resolves when the process is gone by itself, with its exit code where it has one. */
  async gone(): Promise<number | undefined> {
    const { code } = await this.#process.exit;
    return code ?? undefined;
  }
}

function execArguments(turn: ExecTurn, config: CodexConfig): string[] {
  const { run, sandbox, model, effort, threadId } = turn;
  const { systemPrompt } = run;
  const settings = {
    ...config,
    ...(effort !== undefined && { model_reasoning_effort: effort }),
    ...(systemPrompt && { developer_instructions: systemPrompt.text }),
  };
  return [
    "exec",
    "--json",
    "--skip-git-repo-check",
    // Here the setting of that name has no effect.
    ...(run.project?.isTrusted ? ["--dangerously-bypass-hook-trust"] : []),
    ...configArguments(settings),
    "--sandbox",
    sandbox,
    ...(model === undefined ? [] : ["--model", model]),
    ...(threadId === undefined ? [] : ["resume", threadId]),
    // The prompt comes by stdin: it may be long, and may look like an option.
    "-",
  ];
}

function jsonFrom(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Codex writes a word to people here and there.
    return undefined;
  }
}
