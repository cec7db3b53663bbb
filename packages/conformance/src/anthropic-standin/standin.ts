import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { writeJson, writeReply } from "./answer.ts";
import { Gates } from "./gates.ts";
import { type ModelCall, modelCallFromBody } from "./model-call.ts";
import { Repertoire } from "./repertoire.ts";
import type { Scenario } from "./script.ts";
import { apiError } from "./stream.ts";

export interface AnthropicStandinOptions {
  /** Scenarios beside the catalog's, by the name that a prompt gives them. */
  readonly scenarios?: Readonly<Record<string, Scenario>>;
  /** The pause after each word; none by default. */
  readonly delayMs?: number;
}

/** One request as it arrived. */
export interface StandinRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  /** What the request asks of the model, when it is a call to it. */
  readonly call: ModelCall | undefined;
  /** The sub-agent that calls; the main agent has none. */
  readonly agentId: string | undefined;
  /** Resolves with whether the answer got out whole: false when the client or a script cut it off. */
  readonly answered: Promise<boolean>;
}

/** A model behind a loopback address that says what a test wants it to say. */
export interface AnthropicStandin {
  readonly url: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly StandinRequest[];
  /** Teaches the stand-in one more scenario. */
  scenario(name: string, scenario: Scenario): void;
  /** Resolves when a stream has come to the gate. */
  reached(gate: string): Promise<void>;
  /** Lets streams pass the gate, now and later. */
  release(gate: string): void;
  /** The first request that matches, as soon as there is one. */
  request(matches: (request: StandinRequest) => boolean): Promise<StandinRequest>;
  /** Ends the server and every open stream. */
  close(): Promise<void>;
}

/** Starts a stand-in of the Anthropic Messages API on a free loopback port. */
export async function startAnthropicStandin(
  options: AnthropicStandinOptions = {},
): Promise<AnthropicStandin> {
  const standin = new Standin(options);
  await standin.listen();
  return standin;
}

class Standin implements AnthropicStandin {
  readonly requests: StandinRequest[] = [];
  readonly #gates = new Gates();
  readonly #repertoire: Repertoire;
  readonly #delayMs: number;
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch((error: unknown) => response.destroy(errorFrom(error)));
  });
  #listeners: (() => void)[] = [];
  url = "";

  constructor({ scenarios = {}, delayMs = 0 }: AnthropicStandinOptions) {
    this.#repertoire = new Repertoire(scenarios);
    this.#delayMs = delayMs;
  }

  async listen(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("No port was given.");
    this.url = `http://127.0.0.1:${address.port}`;
  }

  scenario(name: string, scenario: Scenario): void {
    this.#repertoire.add(name, scenario);
  }

  reached(gate: string): Promise<void> {
    return this.#gates.reached(gate);
  }

  release(gate: string): void {
    this.#gates.release(gate);
  }

  async request(matches: (request: StandinRequest) => boolean): Promise<StandinRequest> {
    for (;;) {
      const found = this.requests.find(matches);
      if (found) return found;
      await new Promise<void>((resolve) => this.#listeners.push(resolve));
    }
  }

  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    const answered = new Promise<boolean>((resolve) => {
      response.once("close", () => {
        if (!response.writableFinished) gone.abort(new Error("The client went away."));
        resolve(response.writableFinished);
      });
    });
    const arrived = await readRequest(request, answered);
    this.requests.push(arrived);
    for (const listener of this.#listeners.splice(0)) listener();
    await this.#respond(arrived, response, gone.signal);
  }

  async #respond(
    { method, path, body, call, agentId, headers }: StandinRequest,
    response: ServerResponse,
    signal: AbortSignal,
  ): Promise<void> {
    response.setHeader("request-id", `req_${this.requests.length}`);
    const { pathname } = new URL(path, this.url);
    if (method === "HEAD") {
      response.end();
    } else if (method === "POST" && pathname === "/v1/messages/count_tokens") {
      writeJson(response, { status: 200, body: { input_tokens: sizeOf(body) } });
    } else if (method === "POST" && pathname === "/v1/messages" && call) {
      const speaker = `${String(headers["x-claude-code-session-id"])} ${agentId ?? "main"}`;
      const reply = this.#repertoire.reply(call, speaker);
      const { model, isStreamed } = call;
      const pace = (): Promise<void> => this.#pace(signal);
      await writeReply(reply, { response, model, isStreamed, gates: this.#gates, signal, pace });
    } else {
      const status = pathname === "/v1/messages" ? 400 : 404;
      writeJson(response, { status, body: { type: "error", error: apiError(status) } });
    }
  }

  async #pace(signal: AbortSignal): Promise<void> {
    if (this.#delayMs > 0) await wait(this.#delayMs, undefined, { signal });
  }
}

async function readRequest(
  request: IncomingMessage,
  answered: Promise<boolean>,
): Promise<StandinRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = jsonFrom(Buffer.concat(chunks).toString("utf8"));
  const { method = "", url: path = "", headers } = request;
  const agentId = headers["x-claude-code-agent-id"];
  return {
    method,
    path,
    headers,
    body,
    call: modelCallFromBody(body),
    agentId: typeof agentId === "string" ? agentId : undefined,
    answered,
  };
}

function jsonFrom(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return source;
  }
}

/** A token has about four letters. */
function sizeOf(body: unknown): number {
  return Math.ceil(JSON.stringify(body).length / 4);
}

function errorFrom(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
