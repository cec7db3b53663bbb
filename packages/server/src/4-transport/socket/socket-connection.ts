import { detach } from "@turnwire/base";
import { closeCode, type Result, type Principal } from "@turnwire/protocol";
import {
  type CloseReason,
  type Connection,
  type ConnectionOptions,
  type FollowedSession,
  type OpenSession,
  type RightsEnd,
  type ServedFrames,
  websocket as websocketEncoding,
  websocketLines,
} from "@turnwire/wire";
import { wireErrorFrom } from "../http/http-response.ts";
import { operateError } from "../auth/right.ts";
import { keepOpen } from "../stream/ping.ts";
import type { FollowOptions, Reader } from "../stream/reader-hub.ts";
import type { AdmittedPeer } from "./admitted-peer.ts";
import { SocketInbox } from "./socket-inbox.ts";
import { SocketOutbox } from "./socket-outbox.ts";

type Sink = Pick<FollowOptions, "socket" | "onEnd" | "onStall">;

export class SocketConnection implements Connection {
  readonly closed: Promise<void>;
  readonly #peer: AdmittedPeer;
  readonly #check: ConnectionOptions["check"];
  readonly #outbox: SocketOutbox;
  /** What is followed now, and its reader once there is one. */
  #following: { readonly session: OpenSession | undefined } | undefined;
  #reader: Reader | undefined;

  constructor(peer: AdmittedPeer, { check, receive, onLeft }: ConnectionOptions) {
    const { websocket, incoming, hub, onError } = peer;
    this.#peer = peer;
    this.#check = check;
    this.#outbox = new SocketOutbox(websocket);
    const inbox = new SocketInbox({ websocket, onError });
    websocket.on("message", (data, isBinary) => {
      inbox.receive(data, async (bytes) => receive?.(bytes, isBinary));
    });
    this.closed = new Promise((resolve) => {
      websocket.once("close", () => {
        resolve();
        if (onLeft) detach(inbox.handled.then(onLeft), onError);
      });
    });
    keepOpen(websocket, hub);
    const end = (reason: RightsEnd): void => this.#endForRights(reason);
    websocket.once("close", hub.rights.add({ incoming, check, end }));
    // The readers of a session end with the session.
    const release = (): void => {
      if (!this.#following?.session) this.close("released");
    };
    websocket.once("close", hub.onDrain(release));
  }

  send(text: string): void {
    this.#outbox.send(text);
  }

  write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#peer.websocket.send(text, (error) => (error ? reject(error) : resolve()));
    });
  }

  sendOpening(texts: Iterable<string>): void {
    for (const text of texts) this.#peer.websocket.send(text);
  }

  follow({ session, after, dialect, framing, keepalive, onEnd }: FollowedSession): void {
    const encoding = framing === "line" ? websocketLines : websocketEncoding;
    const frame = keepalive === undefined ? undefined : { name: "keepalive", data: keepalive };
    this.#read(session, onEnd, (sink) =>
      this.#peer.hub.follow({
        session,
        after,
        wireFormat: { dialect, encoding },
        ...(frame && { keepalive: encoding.encode(undefined, frame) }),
        ...sink,
      }),
    );
  }

  serve(options: ServedFrames): void {
    this.#read(undefined, options.onEnd, (sink) => this.#peer.hub.serve({ ...options, ...sink }));
  }

  async leave(): Promise<void> {
    const { websocket } = this.#peer;
    const reader = this.#reader;
    this.#following = undefined;
    this.#reader = undefined;
    if (reader) {
      await new Promise<void>((resolve) => {
        const onFinished = (): void => {
          websocket.off("close", onFinished);
          resolve();
        };
        websocket.once("close", onFinished);
        reader.finish(onFinished);
      });
      reader.leave();
    }
    this.#outbox.reader = undefined;
  }

  close(reason: CloseReason | number, text?: string): void {
    const { websocket } = this.#peer;
    if (typeof reason === "number") websocket.close(reason, text);
    else websocket.close(closeCode[reason], text ?? reason);
  }

  async act<T>(work: (principal: Principal) => Promise<Result<T>>): Promise<Result<T> | undefined> {
    try {
      const principal = await this.#peer.currentPrincipal();
      const end = principal ? this.#check(principal) : "unauthorized";
      if (principal && !end) {
        const error = operateError(principal);
        return error ? { ok: false, error } : await work(principal);
      }
      this.#endForRights(end ?? "unauthorized");
      return undefined;
    } catch (error) {
      this.#peer.onError(error);
      return { ok: false, error: wireErrorFrom(error) };
    }
  }

  #read(
    session: OpenSession | undefined,
    onEnd: FollowOptions["onEnd"],
    begin: (sink: Sink) => Reader | undefined,
  ): void {
    const following = { session };
    this.#following = following;
    const reader = begin({
      socket: this.#peer.socket,
      onStall: () => this.close("tooSlow", "too slow"),
      onEnd: (reason) => {
        if (this.#following !== following) return;
        this.#following = undefined;
        this.#reader?.leave();
        this.#reader = undefined;
        this.#outbox.reader = undefined;
        onEnd(reason);
      },
    });
    if (this.#following !== following) return reader?.leave();
    this.#reader = reader;
    this.#outbox.reader = reader;
  }

  /** However long the peer takes to answer the close, it gets no further event. */
  #endForRights(reason: RightsEnd): void {
    const [code, text] = rightsClose[reason];
    const close = (): void => this.close(code, text);
    if (this.#reader) this.#reader.finish(close);
    else close();
  }
}

const rightsClose = {
  unauthorized: ["unauthorized", "unauthorized"],
  unknownSession: ["unknownSession", "session_not_found"],
  changed: ["released", "rights changed"],
} as const;
