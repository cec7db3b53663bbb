import * as z from "zod";
import { validate, type WireError } from "@turnwire/protocol";
import {
  type OpenSession,
  native,
  type Cursor,
  gapError,
  jsonFromBytes,
  type Connection,
  type FollowEnd,
  reaching,
  type SocketPeer,
} from "@turnwire/wire";

const ClientFrame = z.object({
  id: z.union([z.string().max(200), z.number()]).optional(),
  command: z.unknown().optional(),
});
type FrameId = z.infer<typeof ClientFrame>["id"];

export interface SessionSocketOptions {
  readonly session: OpenSession;
  readonly cursor: Cursor;
  readonly peer: SocketPeer;
}

/** Says that the connection is open, where a page cannot see pings. */
const KEEPALIVE = '{"type":"keepalive"}';

/** One WebSocket on a session: events out, commands in and their outcome back. */
export class SessionSocket {
  readonly #options: SessionSocketOptions;
  readonly #connection: Connection;

  constructor(options: SessionSocketOptions) {
    this.#options = options;
    this.#connection = options.peer.connect({
      check: reaching(options.session),
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
      dialect: native,
      keepalive: KEEPALIVE,
      onEnd: (reason) => this.#end(reason),
    });
  }

  #end(reason: FollowEnd): void {
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
