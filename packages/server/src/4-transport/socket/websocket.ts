import type { RawData, WebSocket } from "ws";
import * as z from "zod";
import { closeCode, type Result, validate, type WireError } from "@turnwire/protocol";
import { canReach } from "../../0-storage/principal.ts";
import type { Accepted, OpenSession } from "../../2-session/port/open-session.ts";
import {
  websocket as websocketEncoding,
  websocketKeepalive,
} from "../stream/encoding/websocket.ts";
import { native } from "../../3-dialect/native/native.ts";
import { wireErrorFrom } from "../http/http-response.ts";
import type { Cursor } from "../stream/cursor.ts";
import { gapError } from "../stream/gap.ts";
import { jsonFromBytes } from "../http/json-text.ts";
import { keepOpen } from "../stream/ping.ts";
import { reaching, type RightsEnd } from "../stream/rights-watch.ts";
import type { Reader, ReaderHub } from "../stream/reader-hub.ts";
import { SocketInbox } from "./socket-inbox.ts";
import { SocketOutbox } from "./socket-outbox.ts";
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
  readonly #inbox: SocketInbox;
  readonly #outbox: SocketOutbox;

  constructor(options: SessionSocketOptions) {
    const { peer, onError } = options;
    const { websocket } = peer;
    this.#options = options;
    this.#inbox = new SocketInbox({ websocket, take: (bytes) => this.#take(bytes), onError });
    this.#outbox = new SocketOutbox(websocket);
  }

  start(): void {
    const { session, cursor, hub, peer } = this.#options;
    const { websocket, socket } = peer;
    const { after, epoch } = cursor;
    const gap = gapError(session.log.verdict(after, epoch));
    if (gap) return this.#closeWithGap(gap);
    const { head } = session.log;
    this.#send({ type: "ready", session_id: session.id, epoch: session.log.epoch, after, head });
    websocket.on("message", (data, isBinary) => this.#receive(data, isBinary));
    keepOpen(websocket, hub);
    this.#outbox.reader = hub.follow({
      session,
      socket,
      after,
      wireFormat: { dialect: native, encoding: websocketEncoding },
      keepalive: websocketKeepalive,
      onEnd: (reason) => this.#end(reason),
      onStall: () => websocket.close(closeCode.tooSlow, "too slow"),
    });
    const end = (reason: RightsEnd): void => this.#endForRights(reason);
    const check = reaching(session.owner);
    websocket.once("close", hub.rights.add({ incoming: peer.incoming, check, end }));
  }

  #endForRights(reason: RightsEnd): void {
    closeForRights(this.#options.peer.websocket, this.#outbox.reader, reason);
  }

  #end(reason: SubscriberEnd): void {
    const { session, peer } = this.#options;
    if (reason === "gone") {
      const { oldest, head, epoch } = session.log;
      const error = gapError({ type: "gap", oldest, head, epoch });
      if (error) this.#closeWithGap(error);
      return;
    }
    peer.websocket.close(closeCode[reason], reason);
  }

  #closeWithGap(error: WireError): void {
    const type = error.code === "session_damaged" ? "damaged" : "gap";
    this.#send({ type, error });
    this.#options.peer.websocket.close(closeCode[type], error.code);
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (isBinary) this.#options.peer.websocket.close(closeCode.notText, "text frames only");
    else this.#inbox.receive(data);
  }

  async #take(bytes: Uint8Array): Promise<void> {
    const input = jsonFromBytes(bytes);
    if (!input.ok) return this.#reject(undefined, input.error);
    const frame = validate(ClientFrame, input.value);
    if (!frame.ok) return this.#reject(undefined, frame.error);
    const { id, command } = frame.value;
    const outcome = await this.#execute(command);
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

  /** With the rights of this moment, not those of the handshake. Undefined when the connection was closed instead. */
  async #execute(input: unknown): Promise<Result<Accepted> | undefined> {
    const { session, peer, onError } = this.#options;
    const command = native.commandFrom(input);
    if (!command.ok) return command;
    try {
      const principal = await peer.currentPrincipal();
      if (!principal || !canReach(principal, session.owner)) {
        this.#endForRights(principal ? "unknownSession" : "unauthorized");
        return undefined;
      }
      return await session.execute(command.value, principal);
    } catch (error) {
      onError(error);
      return { ok: false, error: wireErrorFrom(error) };
    }
  }

  #reject(id: FrameId, error: WireError): void {
    this.#send({ type: "rejected", id, error });
  }

  #send(message: unknown): void {
    this.#outbox.send(JSON.stringify(message));
  }
}

const rightsClose = {
  unauthorized: [closeCode.unauthorized, "unauthorized"],
  unknownSession: [closeCode.unknownSession, "session_not_found"],
  changed: [closeCode.released, "rights changed"],
} as const;

/** Closes a connection to which its peer has lost the right: it gets nothing more, however long it takes to answer the close. */
export function closeForRights(
  websocket: WebSocket,
  reader: Pick<Reader, "finish"> | undefined,
  reason: RightsEnd,
): void {
  const [code, text] = rightsClose[reason];
  reader?.finish(() => websocket.close(code, text));
}
