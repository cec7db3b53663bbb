import { maximumHighlightLength } from "../tree/limit.ts";
import { isHighlightAnswer, type HighlightRequest } from "./message.ts";
import { plainLines, type TokenLine } from "./token.ts";
import { TokenCache } from "./token-cache.ts";

/** The part of a Web Worker that highlighting needs. */
export type HighlightWorker = Pick<Worker, "addEventListener" | "postMessage" | "terminate">;

/** A worker that takes longer for one piece of code is replaced, and the code stays plain. */
const TIME_LIMIT_MS = 5_000;

export interface HighlighterOptions {
  /** Starts `@turnwire/markdown/highlight-worker`; without it, or where it fails, code stays plain. */
  readonly createWorker?: () => HighlightWorker;
}

export interface HighlightOptions {
  /** When it aborts, the answer is plain and no work is done that has not begun. */
  readonly signal?: AbortSignal;
}

/** Finds the tokens of code, off the main thread. It always answers, with plain tokens if need be. */
export interface Highlighter {
  highlight(
    code: string,
    language: string | undefined,
    options?: HighlightOptions,
  ): Promise<readonly TokenLine[]>;
  /** Ends the worker; what waits is answered plain. */
  close(): void;
}

/** A highlighter with one worker, started when first needed. */
export function createHighlighter(options: HighlighterOptions = {}): Highlighter {
  return new WorkerHighlighter(options);
}

interface Job {
  readonly key: string;
  readonly request: HighlightRequest;
  /** Those who wait for it; without any it is not begun. */
  readonly waiters: Set<(lines: readonly TokenLine[]) => void>;
}

class WorkerHighlighter implements Highlighter {
  readonly #createWorker: (() => HighlightWorker) | undefined;
  readonly #cache = new TokenCache();
  readonly #jobs = new Map<string, Job>();
  #worker: HighlightWorker | undefined;
  #running: { readonly job: Job; readonly timer: ReturnType<typeof setTimeout> } | undefined;
  #nextId = 1;
  #isClosed = false;

  constructor({ createWorker }: HighlighterOptions) {
    this.#createWorker = createWorker;
  }

  highlight(
    code: string,
    language: string | undefined,
    { signal }: HighlightOptions = {},
  ): Promise<readonly TokenLine[]> {
    const isPlain = language === undefined || code.length > maximumHighlightLength;
    if (isPlain || this.#createWorker === undefined || this.#isClosed || signal?.aborted === true) {
      return Promise.resolve(plainLines(code));
    }
    const key = `${language}\n${code}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined) return Promise.resolve(cached);
    const job = this.#jobs.get(key) ?? this.#addJob(key, code, language);
    return new Promise((resolve) => {
      const finish = (lines: readonly TokenLine[]): void => {
        signal?.removeEventListener("abort", stop);
        resolve(lines);
      };
      const stop = (): void => {
        job.waiters.delete(finish);
        finish(plainLines(code));
      };
      job.waiters.add(finish);
      signal?.addEventListener("abort", stop);
      this.#next();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#stopWorker();
    for (const job of this.#jobs.values()) this.#answer(job, plainLines(job.request.code));
  }

  #addJob(key: string, code: string, language: string): Job {
    const request = { id: this.#nextId, code, language };
    this.#nextId += 1;
    const job: Job = { key, request, waiters: new Set() };
    this.#jobs.set(key, job);
    return job;
  }

  /** Gives the worker one job at a time, so that what is not wanted any more is never begun. */
  #next(): void {
    if (this.#running !== undefined) return;
    for (const job of this.#jobs.values()) {
      if (job.waiters.size === 0) {
        this.#jobs.delete(job.key);
        continue;
      }
      const worker = this.#startedWorker();
      if (worker === undefined) {
        this.#answer(job, plainLines(job.request.code));
        continue;
      }
      const timer = setTimeout(() => this.#fail(), TIME_LIMIT_MS);
      this.#running = { job, timer };
      worker.postMessage(job.request, []);
      return;
    }
  }

  #startedWorker(): HighlightWorker | undefined {
    if (this.#worker !== undefined) return this.#worker;
    try {
      const worker = this.#createWorker?.();
      worker?.addEventListener("message", (event) => this.#receive(event.data));
      worker?.addEventListener("error", () => this.#fail());
      this.#worker = worker;
      return worker;
    } catch {
      return undefined; // no workers here, or a policy forbids them: code stays plain
    }
  }

  #receive(data: unknown): void {
    const job = this.#running?.job;
    if (job === undefined || !isHighlightAnswer(data) || data.id !== job.request.id) return;
    this.#cache.set(job.key, data.lines);
    this.#finish(job, data.lines);
  }

  /** The worker broke or takes too long: the next job gets a new one. */
  #fail(): void {
    const job = this.#running?.job;
    this.#stopWorker();
    if (job === undefined) return;
    const lines = plainLines(job.request.code);
    this.#cache.set(job.key, lines);
    this.#finish(job, lines);
  }

  #finish(job: Job, lines: readonly TokenLine[]): void {
    clearTimeout(this.#running?.timer);
    this.#running = undefined;
    this.#answer(job, lines);
    this.#next();
  }

  #answer(job: Job, lines: readonly TokenLine[]): void {
    this.#jobs.delete(job.key);
    for (const resolve of job.waiters) resolve(lines);
  }

  #stopWorker(): void {
    clearTimeout(this.#running?.timer);
    this.#running = undefined;
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}
