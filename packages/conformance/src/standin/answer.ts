import type { ServerResponse } from "node:http";

/** Thrown where a script drops the connection. */
export class ConnectionCut extends Error {
  constructor() {
    super("The script cuts the connection here.");
    this.name = "ConnectionCut";
  }
}

/** Text in a stream that is not an event. */
export interface BrokenText {
  readonly type: "broken";
  readonly text: string;
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

export interface StreamTarget {
  readonly response: ServerResponse;
  /** Aborted when the client has gone away. */
  readonly signal: AbortSignal;
}

/** Writes events as they come; a script's cut and a client that goes away end the connection. */
export async function writeEvents(
  events: AsyncIterable<{ readonly type: string } | BrokenText>,
  { response, signal }: StreamTarget,
): Promise<void> {
  try {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    for await (const event of events) {
      signal.throwIfAborted();
      response.write(textFrom(event));
    }
    response.end();
  } catch (error) {
    // A client that goes away in the middle of a stream is how an interrupt looks from here.
    if (!(error instanceof ConnectionCut) && !signal.aborted) throw error;
    if (!signal.aborted) await flush(response);
    response.destroy();
  }
}

function textFrom(event: { readonly type: string } | BrokenText): string {
  if (isBroken(event)) return event.text;
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function isBroken(event: { readonly type: string } | BrokenText): event is BrokenText {
  return event.type === "broken";
}

/** The part before the cut was sent: the client sees half an answer, not none. */
function flush(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.write(": cut\n\n", () => resolve());
  });
}
