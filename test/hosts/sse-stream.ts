import { createSseDecoder } from "@turnwire/protocol";

export interface StreamRequest {
  /** Of the server, or of what leads to it. */
  readonly url: string;
  readonly token: string;
  readonly sessionId: string;
  readonly after: number;
  readonly signal: AbortSignal;
}

/** The data of each server-sent event, as bare as it can be read, until the connection ends. */
export async function* sseStream(request: StreamRequest): AsyncGenerator<string> {
  const { url, token, sessionId, after, signal } = request;
  const response = await fetch(`${url}/sessions/${sessionId}/events`, {
    headers: {
      authorization: `Bearer ${token}`,
      accept: "text/event-stream",
      ...(after > 0 && { "last-event-id": String(after) }),
    },
    signal,
  });
  if (!response.ok || !response.body) throw new Error(`the stream answered ${response.status}`);
  const decoder = createSseDecoder();
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    for (const { data } of decoder.push(chunk)) yield data;
  }
}
