import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { Gates } from "./gates.ts";

/** A request as it arrived. */
export interface ArrivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  /** Resolves with whether the answer got out whole: false when the client or a script cut it off. */
  readonly answered: Promise<boolean>;
}

/** A request, and where its answer goes. */
export interface Exchange<Request> {
  readonly request: Request;
  readonly response: ServerResponse;
  /** Aborted when the client has gone away. */
  readonly signal: AbortSignal;
}

/** The server of a model stand-in: keeps every request, and holds streams at gates. */
export abstract class ModelServer<Request extends ArrivedRequest> {
  /** Every request so far, oldest first. */
  readonly requests: Request[] = [];
  url = "";
  protected readonly gates = new Gates();
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch((error: unknown) => response.destroy(errorFrom(error)));
  });
  readonly #headers: Readonly<Record<string, string>>;
  #listeners: (() => void)[] = [];

  /** The headers are sent with every answer: what an account's plan still allows comes in such. */
  constructor(headers: Readonly<Record<string, string>> = {}) {
    this.#headers = headers;
  }

  /** Facts of a request in addition to its content. */
  protected abstract read(arrived: ArrivedRequest): Request;
  protected abstract respond(exchange: Exchange<Request>): Promise<void>;

  async listen(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("No port was given.");
    this.url = `http://127.0.0.1:${address.port}`;
  }

  /** Resolves when a stream has come to the gate. */
  reached(gate: string): Promise<void> {
    return this.gates.reached(gate);
  }

  /** Lets streams pass the gate, now and later. */
  release(gate: string): void {
    this.gates.release(gate);
  }

  /** The first request that matches, as soon as there is one. */
  async request(matches: (request: Request) => boolean): Promise<Request> {
    for (;;) {
      const found = this.requests.find(matches);
      if (found) return found;
      await new Promise<void>((resolve) => this.#listeners.push(resolve));
    }
  }

  /** Ends the server and every open stream. */
  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    const answered = new Promise<boolean>((resolve) => {
      response.once("close", () => {
        if (!response.writableFinished) gone.abort(new Error("The client went away."));
        resolve(response.writableFinished);
      });
    });
    const request = this.read(await arrivalOf(incoming, answered));
    this.requests.push(request);
    for (const listener of this.#listeners.splice(0)) listener();
    response.setHeader("request-id", `req_${this.requests.length}`);
    for (const [name, value] of Object.entries(this.#headers)) response.setHeader(name, value);
    await this.respond({ request, response, signal: gone.signal });
  }
}

async function arrivalOf(
  request: IncomingMessage,
  answered: Promise<boolean>,
): Promise<ArrivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = jsonFrom(Buffer.concat(chunks).toString("utf8"));
  const { method = "", url: path = "", headers } = request;
  return { method, path, headers, body, answered };
}

function jsonFrom(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return source;
  }
}

function errorFrom(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
