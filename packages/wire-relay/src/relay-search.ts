import { request } from "node:http";
import { type Clock, startTimer } from "@turnwire/base";
import type { RelayInfo, RelayList } from "@turnwire/protocol";
import { GREETING_HEADER, type PortAnswer, relayFrom } from "./relay-greeting.ts";

/** What has a port on this machine answers at once unless the machine is busy. */
const ANSWER_MS = 2_000;
const MAX_BODY = 1024;

export interface RelaySearchOptions {
  /** Those of this moment: relays of our own come and go. */
  readonly ports: () => readonly number[];
  /** The id of our own sessions. */
  readonly hostId: string;
  readonly clock: Clock;
}

/** Looks which relays answer on this machine, by a plain GET of each port. */
export class RelaySearch {
  readonly #options: RelaySearchOptions;
  #running: Promise<RelayList> | undefined;

  constructor(options: RelaySearchOptions) {
    this.#options = options;
  }

  /** Those who ask at the same time share one look. */
  find(): Promise<RelayList> {
    this.#running ??= this.#search().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #search(): Promise<RelayList> {
    const { hostId, clock } = this.#options;
    const ports = this.#options.ports().toSorted((left, right) => left - right);
    const found = await Promise.all(
      ports.map(async (port): Promise<readonly RelayInfo[]> => {
        const answer = await greetInTime(port, clock);
        const relay = answer && relayFrom(answer, hostId);
        return relay ? [{ port, ...relay }] : [];
      }),
    );
    return { ports, relays: found.flat() };
  }
}

/** Undefined where nothing speaks HTTP in time. */
async function greetInTime(port: number, clock: Clock): Promise<PortAnswer | undefined> {
  const abort = new AbortController();
  const cancel = startTimer(clock, ANSWER_MS, () => abort.abort());
  try {
    return await greet(port, abort.signal);
  } finally {
    cancel();
  }
}

function greet(port: number, signal: AbortSignal): Promise<PortAnswer | undefined> {
  return new Promise((resolve) => {
    const asked = request({
      host: "127.0.0.1",
      port,
      path: "/",
      agent: false,
      headers: { accept: "text/plain" },
      signal,
    });
    asked.on("error", () => resolve(undefined));
    asked.on("upgrade", (_answer, socket) => socket.destroy());
    asked.on("close", () => resolve(undefined));
    asked.on("response", (answer) => {
      const { statusCode: status = 0, headers } = answer;
      const greeting = headers[GREETING_HEADER];
      let body = "";
      const end = (): void => {
        resolve({ status, greeting: typeof greeting === "string" ? greeting : undefined, body });
        asked.destroy();
      };
      answer.setEncoding("utf8");
      answer.on("data", (text: string) => {
        body += text.slice(0, MAX_BODY - body.length);
        if (body.length >= MAX_BODY) end();
      });
      answer.on("end", end);
      answer.on("error", () => resolve(undefined));
    });
    asked.end();
  });
}
