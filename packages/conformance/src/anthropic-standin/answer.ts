import type { ServerResponse } from "node:http";
import type { Reply } from "./script.ts";
import {
  apiError,
  ConnectionCut,
  messageFromReply,
  streamReply,
  type StreamOptions,
} from "./stream.ts";

export interface AnswerOptions extends StreamOptions {
  readonly response: ServerResponse;
  readonly isStreamed: boolean;
}

/** Writes a reply as an HTTP answer: an error, a stream of events, or one message. */
export async function writeReply(reply: Reply, options: AnswerOptions): Promise<void> {
  const { response, isStreamed, model, signal } = options;
  const [first] = reply;
  if (first?.type === "fail") {
    const body = { type: "error", error: apiError(first.status) };
    return writeJson(response, { status: first.status, body, headers: first.headers });
  }
  if (!isStreamed) {
    return writeJson(response, { status: 200, body: messageFromReply(reply, model) });
  }
  try {
    await writeStream(reply, options);
  } catch (error) {
    // A client that goes away in the middle of a stream is how an interrupt looks from here.
    if (!(error instanceof ConnectionCut) && !signal.aborted) throw error;
    if (!signal.aborted) await flush(response);
    response.destroy();
  }
}

export interface JsonAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export function writeJson(response: ServerResponse, answer: JsonAnswer): void {
  response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
  response.end(JSON.stringify(answer.body));
}

async function writeStream(reply: Reply, options: AnswerOptions): Promise<void> {
  const { response, signal } = options;
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for await (const event of streamReply(reply, options)) {
    signal.throwIfAborted();
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}

/** What was written before a cut has left: the client sees half an answer, not none. */
function flush(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.write(": cut\n\n", () => resolve());
  });
}
