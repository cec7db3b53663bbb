import { type Clock, systemClock } from "@turnwire/base";
import { createSseDecoder, type SseFrame } from "@turnwire/protocol";
import { CliError } from "../error/cli-error.ts";
import type { Connection } from "../connection/server-address.ts";

/** How often in a row a broken connection is opened again, after longer and longer pauses. */
const ATTEMPTS = 7;
const FIRST_PAUSE_MS = 250;

export interface StreamPlace {
  readonly sessionId: string;
  /** The seq before the turn's first event. */
  readonly after: number;
  /** Aborted when no one wants the lines any more. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

/**
 * The lines of one turn in stream-json, from its `init` to its `result`, as the server projects
 * them: each once, also where the connection breaks in between. Ends early where the session is gone.
 */
export async function* streamLines(
  connection: Connection,
  { sessionId, after, signal, clock = systemClock }: StreamPlace,
): AsyncGenerator<string> {
  let position = String(after);
  /** Lines of the event after `position` that are out: when the connection breaks, all of it comes again. */
  let sent = 0;
  let failures = 0;
  while (failures < ATTEMPTS) {
    let seen = 0;
    const response = await openStream(connection, { sessionId, position, signal });
    if (response?.status === 404) return;
    for await (const { id, data, event } of response ? framesIn(response, signal) : []) {
      failures = 0;
      seen += 1;
      if (seen > sent) {
        sent = seen;
        yield data;
      }
      if (event === "result") return;
      // The decoder repeats the id before on frames that have none.
      if (id === undefined || id === position) continue;
      position = id;
      sent = 0;
      seen = 0;
    }
    failures += 1;
    await clock.wait(FIRST_PAUSE_MS * 2 ** (failures - 1), signal);
  }
  throw new CliError("no_server", `The server at ${connection.url} does not answer any more.`);
}

/** Undefined where the server cannot be reached, or not now. */
async function openStream(
  { url, token }: Connection,
  place: { readonly sessionId: string; readonly position: string; readonly signal: AbortSignal },
): Promise<Response | undefined> {
  const { sessionId, position, signal } = place;
  const path = `sessions/${encodeURIComponent(sessionId)}/events`;
  const address = `${url.replace(/\/+$/, "")}/${path}?dialect=stream-json&after=${position}`;
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  try {
    const response = await fetch(address, { headers, signal });
    if (response.ok || response.status === 404) return response;
    const isRefused = response.status < 500 && response.status !== 429;
    if (!isRefused) return undefined;
    throw new CliError("server_refused", `The server refuses the stream (${response.status}).`);
  } catch (error) {
    if (error instanceof CliError || signal.aborted) throw error;
    return undefined;
  }
}

/** What arrives until the connection ends, in whatever way. */
async function* framesIn(response: Response, signal: AbortSignal): AsyncGenerator<SseFrame> {
  const sse = createSseDecoder();
  const text = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) {
      yield* sse.push(text.decode(chunk, { stream: true }));
    }
  } catch (error) {
    if (signal.aborted) throw error;
  }
}
