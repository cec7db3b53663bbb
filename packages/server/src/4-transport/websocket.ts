import type { WireError } from "@turnwire/protocol";
import type { RawData } from "ws";
import * as z from "zod";
import { detach } from "../1-runtime/detach.ts";
import type { Principal } from "../2-session/principal.ts";
import type { Result } from "../2-session/result.ts";
import type { Accepted, Session } from "../2-session/session.ts";
import {
  websocket as websocketEncoding,
  websocketKeepalive,
} from "../3-dialect/encoding/websocket.ts";
import { native } from "../3-dialect/native.ts";
import { validate } from "../3-dialect/validate.ts";
import { wireErrorFrom } from "./answer.ts";
import type { Cursor } from "./cursor.ts";
import { gapError } from "./gap.ts";
import { jsonFromBytes } from "./json-text.ts";
import { keepOpen } from "./ping.ts";
import type { ReaderHub } from "./reader-hub.ts";
import type { SocketPeer } from "./socket-route.ts";
import type { SubscriberEnd } from "./subscriber.ts";

/** What PROTOCOL.md promises to mean by a close. */
export const closeCode = {
  closed: 1000,
  released: 1001,
  failed: 1011,
  unauthorized: 4401,
  unknownSession: 4404,
  tooSlow: 4408,
  gap: 4412,
} as const;

/** Commands of one peer that may wait; beyond that its socket is not read. */
const MAX_PENDING_COMMANDS = 16;
const MAX_BACKLOG_BYTES = 1024 * 1024;

const ClientFrame = z.object({
  id: z.union([z.string().max(200), z.number()]).optional(),
  command: z.unknown().optional(),
});
type FrameId = z.infer<typeof ClientFrame>["id"];

export interface SessionSocketOptions {
  readonly session: Session;
  readonly principal: Principal;
  readonly cursor: Cursor;
  readonly peer: SocketPeer;
  readonly hub: ReaderHub;
  readonly onError: (error: unknown) => void;
}

/** One WebSocket on a session: events out, commands in and their outcome back. */
export class SessionSocket {
  readonly #options: SessionSocketOptions;
  #commands: Promise<void> = Promise.resolve();
  #pending = 0;

  constructor(options: SessionSocketOptions) {
    this.#options = options;
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
    hub.follow({
      session,
      socket,
      after,
      tongue: { dialect: native, encoding: websocketEncoding },
      keepalive: websocketKeepalive,
      onEnd: (reason) => this.#end(reason),
      onStall: () => websocket.close(closeCode.tooSlow, "too slow"),
    });
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
    this.#send({ type: "gap", error });
    this.#options.peer.websocket.close(closeCode.gap, error.code);
  }

  /** Commands are taken one after the other, in the order they came. */
  #receive(data: RawData, isBinary: boolean): void {
    const { peer, onError } = this.#options;
    if (isBinary) {
      peer.websocket.close(1003, "text frames only");
      return;
    }
    this.#pending += 1;
    if (this.#pending >= MAX_PENDING_COMMANDS) peer.websocket.pause();
    this.#commands = this.#commands.then(() => this.#take(data));
    const settled = this.#commands.finally(() => {
      this.#pending -= 1;
      if (this.#pending < MAX_PENDING_COMMANDS) peer.websocket.resume();
    });
    detach(settled, onError);
  }

  async #take(data: RawData): Promise<void> {
    const input = jsonFromBytes(bytesOf(data));
    if (!input.ok) return this.#reject(undefined, input.error);
    const frame = validate(ClientFrame, input.value);
    if (!frame.ok) return this.#reject(undefined, frame.error);
    const { id, command } = frame.value;
    const outcome = await this.#execute(command);
    if (!outcome) return;
    if (!outcome.ok) return this.#reject(id, outcome.error);
    const { seq, messageId, duplicate, forked } = outcome.value;
    this.#send({ type: "ack", id, seq, message_id: messageId, duplicate, session: forked });
  }

  /** Undefined when the connection was closed instead. */
  async #execute(input: unknown): Promise<Result<Accepted> | undefined> {
    const { session, principal, peer, onError } = this.#options;
    const command = native.commandFrom(input);
    if (!command.ok) return command;
    if (!(await peer.isStillAdmitted())) {
      peer.websocket.close(closeCode.unauthorized, "unauthorized");
      return undefined;
    }
    try {
      return await session.execute(command.value, principal);
    } catch (error) {
      onError(error);
      return { ok: false, error: wireErrorFrom(error) };
    }
  }

  #reject(id: FrameId, error: WireError): void {
    this.#send({ type: "rejected", id, error });
  }

  /** Answers to somebody who does not read them would pile up. */
  #send(message: unknown): void {
    const { websocket } = this.#options.peer;
    if (websocket.bufferedAmount > MAX_BACKLOG_BYTES) {
      websocket.close(closeCode.tooSlow, "too slow");
    } else if (websocket.readyState === websocket.OPEN) {
      websocket.send(JSON.stringify(message));
    }
  }
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
