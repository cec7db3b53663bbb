import type { SessionEvent, WireError } from "@turnwire/protocol";
import { ClientError, clientErrorFrom } from "./client-error.ts";
import type { Verdict } from "./connection-state.ts";
import { detach } from "./detach.ts";
import type { Http } from "./http.ts";
import type { Platform } from "./platform.ts";
import { frameFrom, sessionEventFrom } from "./session-event.ts";
import type { Cursor, OpenStream, StreamReceiver } from "./stream.ts";

/** A session's events over WebSocket. It cannot be held back: what a slow listener has not taken waits in memory. */
export function createWebSocketStream(
  http: Http,
  sessionId: string,
  createWebSocket: NonNullable<Platform["createWebSocket"]>,
): OpenStream {
  return (cursor, receiver) => {
    const socket = createWebSocket(addressOf(http, sessionId, cursor), protocolsFor(http));
    const frames = new FrameReader(http.platform, receiver);
    socket.addEventListener("message", ({ data }) => frames.read(String(data)));
    // A close follows and says the same; `ws` would throw what nobody listens to.
    socket.addEventListener("error", () => undefined);
    socket.addEventListener("close", ({ code }) => {
      detach(endWith(code, { http, sessionId, frames, receiver }), http.platform);
    });
    return () => socket.close();
  };
}

function addressOf(http: Http, sessionId: string, { after, epoch }: Cursor): string {
  const path = ["sessions", sessionId, "ws"];
  return http.urlOf({ path, query: { after, epoch } }).replace(/^http/, "ws");
}

/** Browsers cannot set headers on an upgrade: the token goes as a subprotocol. */
function protocolsFor({ token }: Http): string[] {
  return token === undefined ? ["turnwire"] : ["turnwire", `bearer.${token}`];
}

/** Reads the verdict, then events; those that come in one go are one batch. */
class FrameReader {
  readonly #platform: Platform;
  readonly #receiver: StreamReceiver;
  #isOpened = false;
  #events: SessionEvent[] = [];

  constructor(platform: Platform, receiver: StreamReceiver) {
    this.#platform = platform;
    this.#receiver = receiver;
  }

  get isOpened(): boolean {
    return this.#isOpened;
  }

  read(json: string): void {
    detach(this.#read(json), this.#platform);
  }

  async #read(json: string): Promise<void> {
    try {
      const frame = frameFrom(json);
      throwIfGap(frame);
      if (this.#isOpened) await this.#take(sessionEventFrom(frame));
      else await this.#open(verdictFrom(frame));
    } catch (thrown) {
      await this.#receiver.failed(clientErrorFrom(thrown));
    }
  }

  #open(verdict: Verdict): Promise<void> {
    this.#isOpened = true;
    return this.#receiver.opened(verdict);
  }

  async #take(event: SessionEvent): Promise<void> {
    this.#events.push(event);
    if (this.#events.length > 1) return;
    await Promise.resolve();
    await this.flush();
  }

  async flush(): Promise<void> {
    const events = this.#events;
    if (events.length === 0) return;
    this.#events = [];
    await this.#receiver.received({ events });
  }
}

/** What PROTOCOL.md §5 has for the verdict, and for a reader that lost its place later. */
interface VerdictFrame {
  readonly type: string;
  readonly after: number;
  readonly head: number;
  readonly epoch: string;
  readonly error: WireError;
}

/** Pings do not reach us, so silence says nothing about the line. */
function verdictFrom(frame: unknown): Verdict {
  const { type, after, head, epoch } = fieldsOf(frame);
  if (type !== "ready") {
    throw new ClientError("protocol", `Not a verdict: ${JSON.stringify(frame).slice(0, 200)}`);
  }
  return {
    hasKeepalive: false,
    ...(after !== undefined && { after }),
    ...(head !== undefined && { head }),
    ...(epoch !== undefined && { epoch }),
  };
}

function throwIfGap(frame: unknown): void {
  const { type, error } = fieldsOf(frame);
  if (type === "gap" && error) throw new ClientError("wire", error.message, { error, status: 412 });
}

/** The fields are the server's promise; each is looked at before it is used. */
function fieldsOf(frame: unknown): Partial<VerdictFrame> {
  return typeof frame === "object" && frame !== null ? frame : {};
}

const statusByCloseCode: Readonly<Record<number, number>> = { 4401: 401, 4404: 404, 4412: 412 };

/** The server's own ends that only mean "come back". */
const plainEnds: ReadonlySet<number> = new Set([1000, 1001, 4408]);

interface Ending {
  readonly http: Http;
  readonly sessionId: string;
  readonly frames: FrameReader;
  readonly receiver: StreamReceiver;
}

async function endWith(code: number, { http, sessionId, frames, receiver }: Ending): Promise<void> {
  await frames.flush();
  if (plainEnds.has(code)) return receiver.ended();
  const status = statusByCloseCode[code];
  const error = new ClientError(
    status === undefined ? "network" : "wire",
    `The WebSocket closed with ${code}`,
    status === undefined ? {} : { status },
  );
  const isUnexplained = status === undefined && !frames.isOpened;
  return receiver.failed(isUnexplained ? await whyRefused(http, sessionId, error) : error);
}

/** An upgrade that was refused does not say why; the same question over HTTP does. */
async function whyRefused(
  http: Http,
  sessionId: string,
  otherwise: ClientError,
): Promise<ClientError> {
  try {
    await http.text({ method: "GET", path: ["sessions", sessionId] });
    return otherwise;
  } catch (thrown) {
    return clientErrorFrom(thrown);
  }
}
