import { closeCode, type Result } from "@turnwire/protocol";
import type { OpenSession } from "../../2-session/port/open-session.ts";
import type { Principal } from "../../0-storage/principal.ts";
import { wireErrorFrom } from "../http/http-response.ts";
import { keepOpen } from "../stream/ping.ts";
import type { FollowOptions, Reader, ReaderHub, ServeOptions } from "../stream/reader-hub.ts";
import type { RightsEnd, WatchedConnection } from "../stream/rights-watch.ts";
import { SocketInbox } from "./socket-inbox.ts";
import { SocketOutbox } from "./socket-outbox.ts";
import type { SocketPeer } from "../http/socket-route.ts";

export interface SocketConnectionOptions extends Pick<WatchedConnection, "check"> {
  readonly peer: SocketPeer;
  readonly hub: ReaderHub;
  /** Handles a message; the next one waits until it is done. */
  readonly receive?: (bytes: Uint8Array, isBinary: boolean) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

type Sink = Pick<FollowOptions, "socket" | "onEnd" | "onStall">;
type FollowedSession = Omit<FollowOptions, "socket" | "onStall">;
type ServedFrames = Omit<ServeOptions, "socket" | "onStall">;

/**
 * One WebSocket peer. Promises: its messages are handled one after the other, what they ask for
 * is done with the rights of that moment; replies never interrupt an event that is being written; a peer that stops reading,
 * stops answering pings or loses its rights is disconnected, and then gets nothing more.
 */
export class SocketConnection {
  readonly #options: SocketConnectionOptions;
  readonly #outbox: SocketOutbox;
  /** What is followed now, and its reader once there is one. */
  #following: { readonly session: OpenSession | undefined } | undefined;
  #reader: Reader | undefined;

  constructor(options: SocketConnectionOptions) {
    const { peer, hub, check, onError } = options;
    const { websocket, incoming } = peer;
    this.#options = options;
    this.#outbox = new SocketOutbox(websocket);
    const inbox = new SocketInbox({ websocket, onError });
    websocket.on("message", (data, isBinary) => {
      inbox.receive(data, async (bytes) => options.receive?.(bytes, isBinary));
    });
    keepOpen(websocket, hub);
    const end = (reason: RightsEnd): void => this.#endForRights(reason);
    websocket.once("close", hub.rights.add({ incoming, check, end }));
    // The readers of a session end with the session.
    const release = (): void => {
      if (!this.#following?.session) this.close("released", "released");
    };
    websocket.once("close", hub.onDrain(release));
  }

  /** Sends a reply between two events. */
  send(text: string): void {
    this.#outbox.send(text);
  }

  /** Sends what comes before the first event, however much it is. */
  sendOpening(texts: Iterable<string>): void {
    for (const text of texts) this.#options.peer.websocket.send(text);
  }

  /** Sends the events of a session from now on. */
  follow(options: FollowedSession): void {
    const { hub } = this.#options;
    this.#read(options.session, options.onEnd, (sink) => hub.follow({ ...options, ...sink }));
  }

  /** The same for frames that are not those of one session. */
  serve(options: ServedFrames): void {
    const { hub } = this.#options;
    this.#read(undefined, options.onEnd, (sink) => hub.serve({ ...options, ...sink }));
  }

  /** Sends no more events once the one that is being written has ended; the connection stays open. */
  async leave(): Promise<void> {
    const { websocket } = this.#options.peer;
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

  close(reason: keyof typeof closeCode, text: string = reason): void {
    this.#options.peer.websocket.close(closeCode[reason], text);
  }

  /**
   * Does something with the rights that the peer has at this moment; an error that is thrown is
   * reported and becomes the outcome. Undefined when the peer was disconnected instead.
   */
  async act<T>(work: (principal: Principal) => Promise<Result<T>>): Promise<Result<T> | undefined> {
    const { peer, check, onError } = this.#options;
    try {
      const principal = await peer.currentPrincipal();
      const end = principal ? check(principal) : "unauthorized";
      if (principal && !end) return await work(principal);
      this.#endForRights(end ?? "unauthorized");
      return undefined;
    } catch (error) {
      onError(error);
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
      socket: this.#options.peer.socket,
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
