import { request } from "node:http";
import type { RelayInfo } from "@turnwire/protocol";
import { GREETING_HEADER, type PortAnswer, relayFrom } from "./relay-greeting.ts";

/** Who has a port on this machine answers at once, or is no relay. */
const ANSWER_MS = 500;
const MAX_BODY = 1024;

export interface RelaySearchOptions {
  readonly ports: readonly number[];
  /** The id of our own sessions. */
  readonly hostId: string;
}

/** Looks which relays answer on this machine, by a plain GET of each port. */
export class RelaySearch {
  readonly ports: readonly number[];
  readonly #options: RelaySearchOptions;
  #running: Promise<readonly RelayInfo[]> | undefined;

  constructor(options: RelaySearchOptions) {
    this.ports = options.ports;
    this.#options = options;
  }

  /** Those who ask at the same time share one look. */
  find(): Promise<readonly RelayInfo[]> {
    this.#running ??= this.#look().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #look(): Promise<readonly RelayInfo[]> {
    const { ports, hostId } = this.#options;
    const found = await Promise.all(
      ports.map(async (port): Promise<readonly RelayInfo[]> => {
        const answer = await greet(port);
        const relay = answer && relayFrom(answer, hostId);
        return relay ? [{ port, ...relay }] : [];
      }),
    );
    return found.flat();
  }
}

/** Undefined where nothing speaks HTTP in time. */
function greet(port: number): Promise<PortAnswer | undefined> {
  return new Promise((resolve) => {
    const asked = request({
      host: "127.0.0.1",
      port,
      path: "/",
      agent: false,
      headers: { accept: "text/plain" },
      signal: AbortSignal.timeout(ANSWER_MS),
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
