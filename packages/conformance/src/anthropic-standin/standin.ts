import { writeJson } from "../standin/answer.ts";
import { type ArrivedRequest, type Exchange, ModelServer } from "../standin/model-server.ts";
import { writeReply } from "./answer.ts";
import { type ModelCall, modelCallFromBody } from "./model-call.ts";
import { Repertoire } from "./repertoire.ts";
import type { Scenario } from "./script.ts";
import { apiError } from "./stream.ts";

export interface AnthropicStandinOptions {
  /** Scenarios beside the catalog's, by the name that a prompt gives them. */
  readonly scenarios?: Readonly<Record<string, Scenario>>;
  /** Sent with every answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request as it arrived. */
export interface StandinRequest extends ArrivedRequest {
  /** The purpose of the request, when it is a call to the model. */
  readonly call: ModelCall | undefined;
  /** The sub-agent that calls; the main agent has none. */
  readonly agentId: string | undefined;
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

class Standin extends ModelServer<StandinRequest> implements AnthropicStandin {
  readonly #repertoire: Repertoire;

  constructor({ scenarios = {}, headers }: AnthropicStandinOptions) {
    super(headers);
    this.#repertoire = new Repertoire(scenarios);
  }

  scenario(name: string, scenario: Scenario): void {
    this.#repertoire.add(name, scenario);
  }

  protected read(arrived: ArrivedRequest): StandinRequest {
    const agentId = arrived.headers["x-claude-code-agent-id"];
    return {
      ...arrived,
      call: modelCallFromBody(arrived.body),
      agentId: typeof agentId === "string" ? agentId : undefined,
    };
  }

  protected async respond({ request, response, signal }: Exchange<StandinRequest>): Promise<void> {
    const { method, path, body, call, agentId, headers } = request;
    const { pathname } = new URL(path, this.url);
    if (method === "HEAD") {
      response.end();
    } else if (method === "POST" && pathname === "/v1/messages/count_tokens") {
      writeJson(response, { status: 200, body: { input_tokens: sizeOf(body) } });
    } else if (method === "POST" && pathname === "/v1/messages" && call) {
      const speaker = `${String(headers["x-claude-code-session-id"])} ${agentId ?? "main"}`;
      const reply = this.#repertoire.reply(call, speaker);
      const { model, isStreamed } = call;
      await writeReply(reply, { response, model, isStreamed, gates: this.gates, signal });
    } else {
      const status = pathname === "/v1/messages" ? 400 : 404;
      writeJson(response, { status, body: { type: "error", error: apiError(status) } });
    }
  }
}

/** A token has about four letters. */
function sizeOf(body: unknown): number {
  return Math.ceil(JSON.stringify(body).length / 4);
}
