import { createSseDecoder, type SessionEvent, type SseFrame } from "@turnwire/protocol";
import { ClientError, clientErrorFrom } from "./client-error.ts";
import type { Verdict } from "./connection-state.ts";
import { detach } from "./detach.ts";
import type { Http } from "./http.ts";
import type { AbortSignal, FetchResponse } from "./platform.ts";
import { frameFrom, sessionEventFrom } from "./session-event.ts";
import type { Cursor, OpenStream, StreamReceiver } from "./stream.ts";

/** A session's events as server-sent events. */
export function createEventStream(http: Http, sessionId: string): OpenStream {
  return (cursor, receiver) => {
    const abort = http.platform.createAbort();
    const read = async (): Promise<void> => {
      try {
        const response = await openEvents(http, sessionId, { cursor, signal: abort.signal });
        await receiver.opened(verdictFrom(response));
        await readEvents(http, response, receiver);
      } catch (thrown) {
        await receiver.failed(clientErrorFrom(thrown));
        return;
      }
      await receiver.ended();
    };
    detach(read(), http.platform);
    return () => abort.abort();
  };
}

/** The position goes twice: the header wins, the query survives proxies that drop the header. */
async function openEvents(
  http: Http,
  sessionId: string,
  { cursor, signal }: { readonly cursor: Cursor; readonly signal: AbortSignal },
): Promise<FetchResponse> {
  const { after, epoch } = cursor;
  const response = await http.open({
    method: "GET",
    path: ["sessions", sessionId, "events"],
    query: { after, epoch },
    headers: { accept: "text/event-stream", "last-event-id": String(after) },
    signal,
  });
  const contentType = response.headers.get("content-type") ?? "nothing";
  if (contentType.startsWith("text/event-stream")) return response;
  throw new ClientError("protocol", `Asked for text/event-stream, got ${contentType}`);
}

function verdictFrom({ headers }: FetchResponse): Verdict {
  const after = numberFrom(headers.get("turnwire-after"));
  const head = numberFrom(headers.get("turnwire-head"));
  const epoch = headers.get("turnwire-epoch");
  return {
    hasKeepalive: true,
    ...(after !== undefined && { after }),
    ...(head !== undefined && { head }),
    ...(epoch !== null && { epoch }),
  };
}

function numberFrom(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
}

async function readEvents(
  http: Http,
  response: FetchResponse,
  receiver: StreamReceiver,
): Promise<void> {
  const reader = response.body?.getReader();
  if (!reader) throw new ClientError("protocol", "The event stream has no body");
  const text = http.platform.createTextDecoder();
  const sse = createSseDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done || !value) return;
    const { events, error } = eventsFrom(sse.push(text.decode(value, { stream: true })));
    await receiver.received({
      events,
      ...(sse.retryMs !== undefined && { retryMs: sse.retryMs }),
    });
    if (error) throw error;
  }
}

/** What came before a bad frame still counts. */
function eventsFrom(frames: readonly SseFrame[]): { events: SessionEvent[]; error?: ClientError } {
  const events: SessionEvent[] = [];
  try {
    for (const frame of frames) events.push(sessionEventFrom(frameFrom(frame.data)));
  } catch (thrown) {
    return { events, error: clientErrorFrom(thrown) };
  }
  return { events };
}
