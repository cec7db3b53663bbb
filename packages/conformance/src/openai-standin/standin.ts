import { writeEvents, writeJson } from "../standin/answer.ts";
import { type ArrivedRequest, type Exchange, ModelServer } from "../standin/model-server.ts";
import { ScenarioBook } from "../standin/scenario-book.ts";
import { catalog, echo } from "./catalog.ts";
import { type ModelCall, modelCallFromBody } from "./model-call.ts";
import { type Reply, type Scenario, text } from "./script.ts";
import { streamReply } from "./stream.ts";

export interface OpenaiStandinOptions {
  /** Scenarios beside the catalog's, by the name that a prompt gives them. */
  readonly scenarios?: Readonly<Record<string, Scenario>>;
  /** Sent with every answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request as it arrived. */
export interface OpenaiRequest extends ArrivedRequest {
  /** The purpose of the request, when it is a call to the model. */
  readonly call: ModelCall | undefined;
  readonly threadId: string | undefined;
  /** The thread above, when a sub-agent calls. */
  readonly parentThreadId: string | undefined;
}

/** A model behind a loopback address that says what a test wants it to say. */
export interface OpenaiStandin {
  readonly url: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly OpenaiRequest[];
  /** Teaches the stand-in one more scenario. */
  scenario(name: string, scenario: Scenario): void;
  /** Resolves when a stream has come to the gate. */
  reached(gate: string): Promise<void>;
  /** Lets streams pass the gate, now and later. */
  release(gate: string): void;
  /** The first request that matches, as soon as there is one. */
  request(matches: (request: OpenaiRequest) => boolean): Promise<OpenaiRequest>;
  /** Ends the server and every open stream. */
  close(): Promise<void>;
}

/** Starts a stand-in of the OpenAI Responses API on a free loopback port. */
export async function startOpenaiStandin(
  options: OpenaiStandinOptions = {},
): Promise<OpenaiStandin> {
  const standin = new Standin(options);
  await standin.listen();
  return standin;
}

class Standin extends ModelServer<OpenaiRequest> implements OpenaiStandin {
  readonly #book: ScenarioBook<Scenario>;

  constructor({ scenarios = {}, headers }: OpenaiStandinOptions) {
    super(headers);
    this.#book = new ScenarioBook({ ...catalog, ...scenarios });
  }

  scenario(name: string, scenario: Scenario): void {
    this.#book.add(name, scenario);
  }

  protected read(arrived: ArrivedRequest): OpenaiRequest {
    return {
      ...arrived,
      call: modelCallFromBody(arrived.body),
      threadId: headerOf(arrived, "thread-id"),
      parentThreadId: headerOf(arrived, "x-codex-parent-thread-id"),
    };
  }

  protected async respond({ request, response, signal }: Exchange<OpenaiRequest>): Promise<void> {
    const { call, method } = request;
    const { pathname } = new URL(request.path, this.url);
    if (method !== "POST" || pathname !== "/v1/responses" || !call) {
      const status = pathname === "/v1/responses" ? 400 : 404;
      return writeJson(response, { status, body: { error: apiError(status) } });
    }
    const reply = this.#replyTo(call, request.threadId ?? "");
    const [first] = reply;
    if (first?.type === "fail") {
      const { status, code, retryAfter } = first;
      const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
      return writeJson(response, { status, headers, body: { error: apiError(status, code) } });
    }
    await writeEvents(streamReply(reply, { gates: this.gates, signal }), {
      response,
      signal,
    });
  }

  #replyTo({ purpose, prompt, round, toolOutputs }: ModelCall, speaker: string): Reply {
    if (purpose === "compaction") return [text("What was said so far.")];
    const { scenario, argument, attempt } = this.#book.open({ prompt, round, speaker });
    const cue = { argument, round, attempt, toolOutputs };
    return scenario ? scenario(cue) : echo({ ...cue, argument: prompt });
  }
}

function headerOf({ headers }: ArrivedRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}

/** The error object that goes with a status, as the API words it. */
function apiError(status: number, code?: string): object {
  const type = code ?? (status >= 500 ? "server_error" : "invalid_request_error");
  return { type, code: code ?? null, message: `scripted ${status}` };
}
