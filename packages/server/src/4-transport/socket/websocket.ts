import * as z from "zod";
import { validate, type WireError } from "@turnwire/protocol";
import type { OpenSession } from "../../2-session/port/open-session.ts";
import {
  websocket as websocketEncoding,
  websocketKeepalive,
} from "../stream/encoding/websocket.ts";
import { native } from "../../3-dialect/native/native.ts";
import type { Cursor } from "../stream/cursor.ts";
import { gapError } from "../stream/gap.ts";
import { jsonFromBytes } from "../http/json-text.ts";
import { reaching } from "../stream/rights-watch.ts";
import type { ReaderHub } from "../stream/reader-hub.ts";
import { SocketConnection } from "./socket-connection.ts";
import type { SocketPeer } from "../http/socket-route.ts";
import type { SubscriberEnd } from "../stream/subscriber.ts";

const ClientFrame = z.object({
  id: z.union([z.string().max(200), z.number()]).optional(),
  command: z.unknown().optional(),
});
type FrameId = z.infer<typeof ClientFrame>["id"];

export interface SessionSocketOptions {
  readonly session: OpenSession;
  readonly cursor: Cursor;
  readonly peer: SocketPeer;
  readonly hub: ReaderHub;
  readonly onError: (error: unknown) => void;
}

/** One WebSocket on a session: events out, commands in and their outcome back. */
export class SessionSocket {
  readonly #options: SessionSocketOptions;
  readonly #connection: SocketConnection;

  constructor(options: SessionSocketOptions) {
    this.#options = options;
    this.#connection = new SocketConnection({
      ...options,
      check: reaching(options.session.owner),
      receive: (bytes, isBinary) => this.#receive(bytes, isBinary),
    });
  }

  start(): void {
    const { session, cursor } = this.#options;
    const { after, epoch } = cursor;
    const gap = gapError(session.log.verdict(after, epoch));
    if (gap) return this.#closeWithGap(gap);
    const { head } = session.log;
    this.#send({ type: "ready", session_id: session.id, epoch: session.log.epoch, after, head });
    this.#connection.follow({
      session,
      after,
      wireFormat: { dialect: native, encoding: websocketEncoding },
      keepalive: websocketKeepalive,
      onEnd: (reason) => this.#end(reason),
    });
  }

  #end(reason: SubscriberEnd): void {
    if (reason !== "gone") return this.#connection.close(reason);
    const { oldest, head, epoch } = this.#options.session.log;
    const error = gapError({ type: "gap", oldest, head, epoch });
    if (error) this.#closeWithGap(error);
  }

  #closeWithGap(error: WireError): void {
    const type = error.code === "session_damaged" ? "damaged" : "gap";
    this.#send({ type, error });
    this.#connection.close(type, error.code);
  }

  async #receive(bytes: Uint8Array, isBinary: boolean): Promise<void> {
    if (isBinary) return this.#connection.close("notText", "text frames only");
    const input = jsonFromBytes(bytes);
    if (!input.ok) return this.#reject(undefined, input.error);
    const frame = validate(ClientFrame, input.value);
    if (!frame.ok) return this.#reject(undefined, frame.error);
    const { id } = frame.value;
    const command = native.commandFrom(frame.value.command);
    if (!command.ok) return this.#reject(id, command.error);
    const { session } = this.#options;
    const outcome = await this.#connection.act((principal) =>
      session.execute(command.value, principal),
    );
    if (!outcome) return;
    if (!outcome.ok) return this.#reject(id, outcome.error);
    const { seq, messageId, duplicate, isPending, forked } = outcome.value;
    this.#send({
      type: "ack",
      id,
      seq,
      message_id: messageId,
      duplicate,
      is_pending: isPending,
      session: forked,
    });
  }

  #reject(id: FrameId, error: WireError): void {
    this.#send({ type: "rejected", id, error });
  }

  #send(message: unknown): void {
    this.#connection.send(JSON.stringify(message));
  }
}
