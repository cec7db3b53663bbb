import { Worker } from "node:worker_threads";
import { type Clock, errorText, startTimer, systemClock } from "@turnwire/base";
import { workerFile } from "@turnwire/log/worker-file";
import type { Answers, PropsQuestion, Question, ToolQuestion } from "./evaluation.ts";

/** A message of a worker. */
export type Reply =
  | { readonly type: "ready" }
  | { readonly type: "answer"; readonly answer: Answers[Question["type"]] }
  | { readonly type: "failure"; readonly message: string };

/** Evaluates for sessions, by their ids. Rejects with an EvaluationLimit where it takes too long. */
export interface Evaluator {
  judge(session: string, question: Omit<ToolQuestion, "type">): Promise<Answers["tool"]>;
  checkProps(session: string, question: Omit<PropsQuestion, "type">): Promise<Answers["props"]>;
}

export interface EvaluatorOptions {
  readonly clock?: Clock;
  /** The longest that one evaluation may take. */
  readonly limitMs?: number;
}

/** Commands, patterns and schemas of this size are judged within milliseconds; only hostile ones are not. */
const LIMIT_MS = 5000;
const THREADS = 2;
/** Of one evaluation: a regular expression or a schema cannot take the server's memory. */
const MAX_MEMORY_MB = 512;

/** The evaluation took more time or memory than it may. */
export class EvaluationLimit extends Error {
  constructor(ms: number) {
    super(`it takes longer than ${ms / 1000} s or too much memory`);
    this.name = "EvaluationLimit";
  }
}

interface Job {
  readonly question: Question;
  readonly resolve: (answer: Answers[Question["type"]]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Evaluates what agents and clients send, in threads: nothing of it blocks the server. Each session
 * has one evaluation at a time, and sessions take turns, so that none waits for all of another's.
 */
export class WorkerEvaluator implements Evaluator {
  readonly #options: Required<EvaluatorOptions>;
  /** By session, in the order of their turns. */
  readonly #waiting = new Map<string, Job[]>();
  readonly #busy = new Set<string>();
  readonly #idle: Worker[] = [];
  #running = 0;

  constructor({ clock = systemClock, limitMs = LIMIT_MS }: EvaluatorOptions = {}) {
    this.#options = { clock, limitMs };
  }

  judge(session: string, question: Omit<ToolQuestion, "type">): Promise<Answers["tool"]> {
    return this.#ask(session, { type: "tool", ...question });
  }

  checkProps(session: string, question: Omit<PropsQuestion, "type">): Promise<Answers["props"]> {
    return this.#ask(session, { type: "props", ...question });
  }

  #ask<Type extends Question["type"]>(
    session: string,
    question: Extract<Question, { type: Type }>,
  ): Promise<Answers[Type]> {
    return new Promise((resolve, reject) => {
      const jobs = this.#waiting.get(session) ?? [];
      // The thread answers a question with an answer of its type.
      jobs.push({ question, resolve: resolve as Job["resolve"], reject });
      this.#waiting.set(session, jobs);
      this.#begin();
    });
  }

  #begin(): void {
    for (const [session, jobs] of this.#waiting) {
      if (this.#running >= THREADS) return;
      if (this.#busy.has(session)) continue;
      const job = jobs.shift();
      this.#waiting.delete(session);
      // Behind all others, for its next turn.
      if (jobs.length > 0) this.#waiting.set(session, jobs);
      if (job) this.#run(session, job);
    }
  }

  #run(session: string, { question, resolve, reject }: Job): void {
    this.#running += 1;
    this.#busy.add(session);
    let worker: Worker;
    const settle = (end: () => void): void => {
      this.#running -= 1;
      this.#busy.delete(session);
      end();
      this.#begin();
    };
    try {
      worker = this.#idle.pop() ?? startThread();
    } catch (error) {
      settle(() => reject(new Error(errorText(error), { cause: error })));
      return;
    }
    const { clock, limitMs } = this.#options;
    let cancelTimer: (() => void) | undefined;
    const send = (): void => {
      cancelTimer = startTimer(clock, limitMs, () => discard(new EvaluationLimit(limitMs)));
      worker.postMessage(question, []);
    };
    const release = (): void => {
      cancelTimer?.();
      worker.off("message", onMessage);
      worker.off("error", onError);
    };
    const discard = (error: Error): void => {
      release();
      worker.on("error", () => undefined);
      void worker.terminate();
      settle(() => reject(error));
    };
    const onMessage = (reply: Reply): void => {
      if (reply.type === "ready") {
        readyThreads.add(worker);
        send();
        return;
      }
      release();
      worker.unref();
      this.#idle.push(worker);
      settle(() =>
        reply.type === "answer" ? resolve(reply.answer) : reject(new Error(reply.message)),
      );
    };
    const onError = (error: NodeJS.ErrnoException): void => {
      const isMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      discard(isMemory ? new EvaluationLimit(limitMs) : error);
    };
    worker.on("message", onMessage);
    worker.on("error", onError);
    worker.ref();
    if (readyThreads.has(worker)) send();
  }
}

/** Threads whose code is loaded: the limit counts from then on. */
const readyThreads = new WeakSet<Worker>();

function startThread(): Worker {
  const file = workerFile({ besides: import.meta.url, name: "evaluation-worker" });
  return new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB } });
}

/** One for the process; a thread starts with the first question, and lets the process end. */
export const sharedEvaluator: Evaluator = new WorkerEvaluator();
