import { setTimeout as wait } from "node:timers/promises";
import type { Input } from "./history.ts";
import type { Recorder } from "./recorder.ts";

export interface Door {
  readonly name: string;
  readonly url: string;
}

export interface Sending {
  readonly sessionId: string;
  readonly input: Input;
  /** Below the session, such as `message`. */
  readonly path: string;
  readonly body: unknown;
}

/** How long a sender waits for one host before it tries another. */
const PATIENCE_MS = 20_000;

/** Sends commands to any host and records each try and its answer. */
export class Sender {
  readonly #recorder: Recorder;
  readonly #token: string;
  #count = 0;

  constructor(recorder: Recorder, token: string) {
    this.#recorder = recorder;
    this.#token = token;
  }

  /** One try; the status, 0 when the connection broke. */
  async send(door: Door, { sessionId, input, path, body }: Sending): Promise<number> {
    this.#count += 1;
    const operation = `${input.kind} ${this.#count}`;
    this.#recorder.add({ type: "sent", operation, host: door.name, sessionId, input });
    const { status, answer } = await this.post(door, `/sessions/${sessionId}/${path}`, body);
    const code = codeIn(answer);
    this.#recorder.add({
      type: "answered",
      operation,
      status,
      ...(code !== undefined && { code }),
      ...(answer["is_pending"] === true && { isPending: true }),
    });
    return status;
  }

  /** Tries one host after the other until one has taken it or the session refuses it. */
  async sendUntilTaken(
    nextDoor: () => Door,
    sending: Sending,
    signal: AbortSignal,
  ): Promise<number> {
    for (;;) {
      const status = await this.send(nextDoor(), sending);
      const isOver = status !== 0 && status < 500 && status !== 429;
      if (isOver || signal.aborted) return status;
      await wait(200, undefined, { signal }).catch(() => undefined);
    }
  }

  async post(door: Door, path: string, body: unknown, patienceMs = PATIENCE_MS) {
    try {
      const response = await fetch(door.url + path, {
        method: "POST",
        headers: {
          authorization: `Bearer ${this.#token}`,
          "content-type": "application/json",
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(patienceMs),
      });
      const answer = (await response.json()) as Record<string, unknown>;
      return { status: response.status, answer };
    } catch {
      return { status: 0, answer: {} as Record<string, unknown> };
    }
  }
}

function codeIn(answer: Record<string, unknown>): string | undefined {
  const { error } = answer;
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return String(error.code);
}
