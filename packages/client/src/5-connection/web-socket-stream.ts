import { closeCode, type WireError } from "@turnwire/protocol";
import { ClientError, clientErrorFrom } from "./client-error.ts";
import type { Sequenced, StreamVerdict } from "./connection-state.ts";
import { detach } from "./detach.ts";
import type { EventFeed } from "./event-feed.ts";
import type { Http } from "./http.ts";
import type { Platform, WebSocketPort } from "./platform.ts";
import { frameFrom } from "./session-event.ts";
import type { Cursor, OpenStream, StreamReceiver } from "./stream.ts";

/** The code for lines that ended without saying why (RFC 6455, section 7.1.5). */
const abnormalClosure = 1006;

/** How long the verdict may take before something in between is suspected: a page shows nothing before it. */
const handshakeMs = 4_000;

/** A feed over WebSocket. It cannot be held back: what a slow listener has not taken waits in memory. */
export function createWebSocketStream<Event extends Sequenced>(
  http: Http,
  feed: EventFeed<Event>,
  createWebSocket: NonNullable<Platform["createWebSocket"]>,
): OpenStream<Event> {
  return (cursor, receiver) => {
    const { platform } = http;
    const frames = new FrameReader({ platform, read: feed.reader(cursor), receiver });
    let isOver = false;
    const end = (code: number): void => {
      if (isOver) return;
      isOver = true;
      stopTimer();
      detach(endWith(code, { http, feed, frames, receiver }), platform);
    };
    // Some proxies swallow the question, and would swallow the wish to close as well.
    const stopTimer = platform.startTimer(() => {
      if (frames.isOpened) return;
      end(abnormalClosure);
      socket?.close();
    }, handshakeMs);
    const protocols = ["turnwire", ...http.credentialProtocols()];
    const socket = opened(() => createWebSocket(addressOf(http, feed, cursor), protocols));
    if (!socket) {
      end(abnormalClosure);
      return () => {};
    }
    socket.addEventListener("message", ({ data }) => {
      if (!isOver) frames.take(String(data));
    });
    // A close follows and says the same; `ws` would throw what has no listener.
    socket.addEventListener("error", () => undefined);
    socket.addEventListener("close", ({ code }) => end(code));
    return () => {
      isOver = true;
      stopTimer();
      socket.close();
    };
  };
}

/** Some browsers throw at once at what another would refuse, such as `ws:` from a page with TLS. */
function opened(open: () => WebSocketPort): WebSocketPort | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}

function addressOf(http: Http, feed: EventFeed<Sequenced>, cursor: Cursor): string {
  return http.urlOf({ path: feed.socketPath, query: feed.query(cursor) }).replace(/^http/, "ws");
}

interface FrameReaderOptions<Event extends Sequenced> {
  readonly platform: Platform;
  readonly read: (frame: unknown) => Event;
  readonly receiver: StreamReceiver<Event>;
}

/** Reads the verdict, then events; those that come in one go are one batch. */
class FrameReader<Event extends Sequenced> {
  readonly #options: FrameReaderOptions<Event>;
  #isOpened = false;
  #events: Event[] = [];

  constructor(options: FrameReaderOptions<Event>) {
    this.#options = options;
  }

  get isOpened(): boolean {
    return this.#isOpened;
  }

  take(json: string): void {
    detach(this.#take(json), this.#options.platform);
  }

  async #take(json: string): Promise<void> {
    const { read, receiver } = this.#options;
    try {
      const frame = frameFrom(json);
      throwIfRefused(frame);
      if (!this.#isOpened) await this.#open(verdictFrom(frame));
      else if (fieldsOf(frame).type === "keepalive") await receiver.received({ events: [] });
      else await this.#add(read(frame));
    } catch (thrown) {
      await receiver.failed(clientErrorFrom(thrown));
    }
  }

  #open(verdict: StreamVerdict): Promise<void> {
    this.#isOpened = true;
    return this.#options.receiver.opened(verdict);
  }

  async #add(event: Event): Promise<void> {
    this.#events.push(event);
    if (this.#events.length > 1) return;
    await Promise.resolve();
    await this.flush();
  }

  async flush(): Promise<void> {
    const events = this.#events;
    if (events.length === 0) return;
    this.#events = [];
    await this.#options.receiver.received({ events });
  }
}

/** The frames of PROTOCOL.md §5 for the verdict, and for a reader that lost its place later. */
interface VerdictFrame {
  readonly type: string;
  readonly after: number;
  readonly head: number;
  readonly epoch: string;
  readonly error: WireError;
}

function verdictFrom(frame: unknown): StreamVerdict {
  const { type, after, head, epoch } = fieldsOf(frame);
  if (type !== "ready") {
    throw new ClientError("protocol", `Not a verdict: ${JSON.stringify(frame).slice(0, 200)}`);
  }
  return {
    hasKeepalive: true,
    ...(after !== undefined && { after }),
    ...(head !== undefined && { head }),
    ...(epoch !== undefined && { epoch }),
  };
}

function throwIfRefused(frame: unknown): void {
  const { type, error } = fieldsOf(frame);
  if (!error || (type !== "gap" && type !== "damaged")) return;
  const status = type === "gap" ? 412 : 409;
  throw new ClientError("wire", error.message, { error, status });
}

/** The fields are the server's promise; each is looked at before it is used. */
function fieldsOf(frame: unknown): Partial<VerdictFrame> {
  return typeof frame === "object" && frame !== null ? frame : {};
}

const statusByCloseCode: Readonly<Record<number, number>> = {
  [closeCode.unauthorized]: 401,
  [closeCode.unknownSession]: 404,
  [closeCode.damaged]: 409,
  [closeCode.gap]: 412,
};

/** The server's own ends that only mean "come back". */
const plainEnds: ReadonlySet<number> = new Set([
  closeCode.closed,
  closeCode.released,
  closeCode.tooSlow,
]);

interface Ending<Event extends Sequenced> {
  readonly http: Http;
  readonly feed: EventFeed<Event>;
  readonly frames: FrameReader<Event>;
  readonly receiver: StreamReceiver<Event>;
}

async function endWith<Event extends Sequenced>(
  code: number,
  { http, feed, frames, receiver }: Ending<Event>,
): Promise<void> {
  await frames.flush();
  if (plainEnds.has(code)) return receiver.ended();
  const status = statusByCloseCode[code];
  if (status === undefined && !frames.isOpened) {
    return receiver.failed(await whyRefused(http, feed, code));
  }
  const message = `The WebSocket closed with ${code}`;
  const error =
    status === undefined
      ? new ClientError("network", message)
      : new ClientError("wire", message, { status });
  return receiver.failed(error);
}

/** An upgrade that was refused does not say why; a question over HTTP does, or shows that only WebSockets fail. */
async function whyRefused(
  http: Http,
  feed: EventFeed<Sequenced>,
  code: number,
): Promise<ClientError> {
  try {
    await http.text({ method: "GET", ...feed.probe });
  } catch (thrown) {
    return clientErrorFrom(thrown);
  }
  const message = `A WebSocket could not be opened (${code}), though the server answers: something in between does not let it through`;
  return new ClientError("blocked", message);
}
