import { createSseDecoder, type SseFrame } from "@turnwire/protocol";
import { ClientError, clientErrorFrom } from "./client-error.ts";
import type { Sequenced, StreamVerdict } from "./connection-state.ts";
import { detach } from "./detach.ts";
import type { EventFeed } from "./event-feed.ts";
import type { Http } from "./http.ts";
import type { AbortSignal, FetchResponse, Platform } from "./platform.ts";
import { frameFrom } from "./session-event.ts";
import type { Cursor, OpenStream, StreamReceiver } from "./stream.ts";

/** A feed as server-sent events. */
export function createEventStream<Event extends Sequenced>(
  http: Http,
  feed: EventFeed<Event>,
): OpenStream<Event> {
  return (cursor, receiver) => {
    const abort = http.platform.createAbort();
    const read = async (): Promise<void> => {
      try {
        const response = await openEvents(http, feed, { cursor, signal: abort.signal });
        await receiver.opened(verdictFrom(response));
        await readEvents(response, {
          platform: http.platform,
          read: feed.reader(cursor),
          receiver,
        });
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

async function openEvents(
  http: Http,
  feed: EventFeed<Sequenced>,
  { cursor, signal }: { readonly cursor: Cursor; readonly signal: AbortSignal },
): Promise<FetchResponse> {
  const response = await http.open({
    method: "GET",
    path: feed.path,
    query: feed.query(cursor),
    headers: { accept: "text/event-stream", ...feed.headers?.(cursor) },
    signal,
  });
  const contentType = response.headers.get("content-type") ?? "nothing";
  if (contentType.startsWith("text/event-stream")) return response;
  throw new ClientError("protocol", `Asked for text/event-stream, got ${contentType}`);
}

function verdictFrom({ headers }: FetchResponse): StreamVerdict {
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

interface Reading<Event extends Sequenced> {
  readonly platform: Platform;
  readonly read: (frame: unknown) => Event;
  readonly receiver: StreamReceiver<Event>;
}

async function readEvents<Event extends Sequenced>(
  response: FetchResponse,
  { platform, read, receiver }: Reading<Event>,
): Promise<void> {
  const reader = response.body?.getReader();
  if (!reader) throw new ClientError("protocol", "The event stream has no body");
  const text = platform.createTextDecoder();
  const sse = createSseDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done || !value) return;
    const { events, error } = eventsFrom(sse.push(text.decode(value, { stream: true })), read);
    await receiver.received({
      events,
      ...(sse.retryMs !== undefined && { retryMs: sse.retryMs }),
    });
    if (error) throw error;
  }
}

/** Events before a bad frame still count. */
function eventsFrom<Event>(
  frames: readonly SseFrame[],
  read: (frame: unknown) => Event,
): { events: Event[]; error?: ClientError } {
  const events: Event[] = [];
  try {
    for (const frame of frames) events.push(read(frameFrom(frame.data)));
  } catch (thrown) {
    return { events, error: clientErrorFrom(thrown) };
  }
  return { events };
}
