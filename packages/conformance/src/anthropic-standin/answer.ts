import type { ServerResponse } from "node:http";
import { writeEvents, writeJson } from "../standin/answer.ts";
import type { Reply } from "./script.ts";
import { apiError, messageFromReply, streamReply, type StreamOptions } from "./stream.ts";

export interface AnswerOptions extends StreamOptions {
  readonly response: ServerResponse;
  readonly isStreamed: boolean;
}

/** Writes a reply as an HTTP answer: an error, a stream of events, or one message. */
export async function writeReply(reply: Reply, options: AnswerOptions): Promise<void> {
  const { response, isStreamed, model } = options;
  const [first] = reply;
  if (first?.type === "fail") {
    const body = { type: "error", error: apiError(first.status) };
    return writeJson(response, { status: first.status, body, headers: first.headers });
  }
  if (!isStreamed) {
    return writeJson(response, { status: 200, body: messageFromReply(reply, model) });
  }
  await writeEvents(streamReply(reply, options), options);
}
