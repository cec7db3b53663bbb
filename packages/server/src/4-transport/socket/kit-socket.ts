import { isObject } from "@turnwire/base";
import { closeCode, type Result, type WireError, wireError } from "@turnwire/protocol";
import { canReach, type Principal } from "../../0-storage/principal.ts";
import type { OpenSession } from "../../2-session/port/open-session.ts";
import type { SessionHost } from "../../3-host/session-host.ts";
import type { Frame, StatefulDialect } from "../../3-dialect/dialect.ts";
import { kit, kitWithPartialMessages } from "../../3-dialect/kit/kit.ts";
import { kitFrame, stateFrame } from "../../3-dialect/kit/frame.ts";
import { settingsOf } from "../../3-dialect/kit/option.ts";
import { websocket as websocketEncoding } from "../stream/encoding/websocket.ts";
import { wireErrorFrom } from "../http/http-response.ts";
import { jsonFromBytes } from "../http/json-text.ts";
import { KitOptionsDraft } from "./kit-options-draft.ts";
import { findKitSession, listKitSessions } from "./kit-session.ts";
import { keepOpen } from "../stream/ping.ts";
import type { Reader, ReaderHub } from "../stream/reader-hub.ts";
import type { RightsEnd } from "../stream/rights-watch.ts";
import { SocketInbox } from "./socket-inbox.ts";
import { SocketOutbox } from "./socket-outbox.ts";
import type { SocketPeer } from "../http/socket-route.ts";
import type { SubscriberEnd } from "../stream/subscriber.ts";
import { closeForRights } from "./websocket.ts";

export interface KitSocketOptions {
  readonly host: SessionHost;
  readonly hub: ReaderHub;
  readonly peer: SocketPeer;
  /** The runtime of sessions that begin here; without it, the server's default. */
  readonly runtime: string | undefined;
  readonly onError: (error: unknown) => void;
}

/** It is held in memory until its reader has taken it. */
const MAX_OPENING_BYTES = 64 * 1024 * 1024;

/** One client of Claude Agent Kit: a connection that has no session at first, and one at a time. */
export class KitSocket {
  readonly #options: KitSocketOptions;
  readonly #outbox: SocketOutbox;
  readonly #draft: KitOptionsDraft;
  #session: OpenSession | undefined;
  #reader: Reader | undefined;

  constructor(options: KitSocketOptions) {
    this.#options = options;
    this.#outbox = new SocketOutbox(options.peer.websocket);
    this.#draft = new KitOptionsDraft(options.host, options.runtime);
  }

  async start(): Promise<void> {
    const { hub, peer, onError } = this.#options;
    const { websocket, incoming } = peer;
    const take = (bytes: Uint8Array): Promise<void> => this.#take(bytes);
    const inbox = new SocketInbox({ websocket, take, onError });
    websocket.on("message", (data) => inbox.receive(data));
    keepOpen(websocket, hub);
    const check = (principal: Principal): RightsEnd | undefined =>
      !this.#session || canReach(principal, this.#session.owner) ? undefined : "unknownSession";
    const end = (reason: RightsEnd): void => this.#endForRights(reason);
    websocket.once("close", hub.rights.add({ incoming, check, end }));
    const release = (): void => {
      if (!this.#session) websocket.close(closeCode.released, "released");
    };
    websocket.once("close", hub.onDrain(release));
    this.#send(stateFrame(null, { isBusy: false, isLoading: false, ...this.#draft.settings }));
    this.#send(kitFrame(null, { type: "connected", message: "Connected to Turnwire." }));
  }

  async #take(bytes: Uint8Array): Promise<void> {
    const input = jsonFromBytes(bytes);
    if (!input.ok) {
      this.#sendError(undefined, { ...input.error, details: { reason: "invalid_json" } });
      return;
    }
    const type = isObject(input.value) ? input.value["type"] : undefined;
    try {
      const principal = await this.#options.peer.currentPrincipal();
      if (!principal) return this.#endForRights("unauthorized");
      if (this.#session && !canReach(principal, this.#session.owner)) {
        return this.#endForRights("unknownSession");
      }
      const done = await this.#perform(type, input.value, principal);
      if (!done.ok) this.#sendError(type, done.error);
    } catch (error) {
      this.#options.onError(error);
      this.#sendError(type, wireErrorFrom(error));
    }
  }

  async #perform(type: unknown, input: unknown, principal: Principal): Promise<Result<unknown>> {
    switch (type) {
      case "resume":
        return this.#resume(fieldOf(input, "sessionId"), principal);
      case "setSDKOptions":
        return this.#setOptions(fieldOf(input, "options"), principal);
      case "listSessions": {
        const sessions = await listKitSessions(this.#options.host, principal);
        this.#send(kitFrame(this.#sessionId, { type: "sessions_listed", sessions }));
        return { ok: true, value: undefined };
      }
      case "chat":
        return this.#chat(input, principal);
      default:
        return this.#execute(input, principal);
    }
  }

  async #chat(input: unknown, principal: Principal): Promise<Result<unknown>> {
    const wanted = fieldOf(input, "sessionId");
    if (fieldOf(input, "newConversation") === true) await this.#leave();
    else if (typeof wanted === "string" && wanted !== "" && wanted !== this.#sessionId) {
      if (this.#session) return otherSession(wanted);
      const resumed = await this.#resume(wanted, principal);
      if (!resumed.ok) return resumed;
    }
    if (this.#session) return this.#execute(input, principal);
    // What is wrong with the message is found before a session begins with it.
    const control = this.#draft.emptyControl;
    const command = kit.commandFrom(input, control);
    if (!command.ok) return command;
    const created = await this.#options.host.create(await this.#draft.creation(), principal);
    if (!created.ok) return created;
    const joined = await this.#join(created.value);
    return joined.ok ? this.#execute(input, principal) : joined;
  }

  async #execute(input: unknown, principal: Principal): Promise<Result<unknown>> {
    const session = this.#session;
    const command = kit.commandFrom(input, session?.control ?? this.#draft.emptyControl);
    if (!command.ok) return command;
    if (!session) return noSession;
    const done = await session.execute(command.value, principal);
    const clientMessageId = fieldOf(input, "clientMessageId");
    if (done.ok && typeof clientMessageId === "string") {
      const { messageId, duplicate, isPending } = done.value;
      const type = "message_accepted";
      const fate = { clientMessageId, messageId, duplicate, isPending };
      this.#send(kitFrame(session.id, { type, ...fate }));
    }
    return done;
  }

  async #setOptions(input: unknown, principal: Principal): Promise<Result<unknown>> {
    const change = this.#draft.parse(input, this.#session);
    if (!change.ok) return change;
    const session = this.#session;
    if (session && change.value.commands.length > 0) {
      const updated = await session.update(change.value.commands, principal);
      if (!updated.ok) return updated;
    }
    const isRestarted = this.#draft.apply(change.value.options);
    if (!session) this.#send(stateFrame(null, this.#draft.settings));
    else if (isRestarted) return this.#join(session);
    else if (change.value.commands.length === 0) {
      this.#send(stateFrame(session.id, settingsOf(session.control)));
    }
    return { ok: true, value: undefined };
  }

  /** The session by our id, or by the id that the agent's own program has for the conversation. */
  async #resume(id: unknown, principal: Principal): Promise<Result<unknown>> {
    const found = await findKitSession(this.#options.host, id, principal);
    return found.ok ? this.#join(found.value) : found;
  }

  /** The connection's session from now on: all of it first, then what happens. */
  async #join(session: OpenSession): Promise<Result<unknown>> {
    const { hub, peer } = this.#options;
    const dialect = this.#dialect;
    await this.#leave();
    this.#send(stateFrame(session.id, { isLoading: true }));
    const isOver = stateFrame(session.id, { isLoading: false });
    const { seq: after, state } = await session.snapshot();
    const opening = dialect.opening(state);
    const length = opening.reduce((sum, { data }) => sum + data.length, 0);
    if (length > MAX_OPENING_BYTES) {
      this.#send(isOver);
      return tooLarge(length);
    }
    for (const { data } of [...opening, isOver]) peer.websocket.send(data);
    this.#session = session;
    const reader = hub.follow({
      session,
      socket: peer.socket,
      after,
      wireFormat: { dialect, encoding: websocketEncoding },
      onEnd: (reason) => this.#onEnd(session, reason),
      onStall: () => peer.websocket.close(closeCode.tooSlow, "too slow"),
    });
    this.#reader = reader;
    this.#outbox.reader = reader;
    return { ok: true, value: undefined };
  }

  get #dialect(): StatefulDialect {
    return this.#draft.hasPartialMessages ? kitWithPartialMessages : kit;
  }

  /** Ends with the frame that is being written; the connection stays. */
  async #leave(): Promise<void> {
    const reader = this.#reader;
    this.#reader = undefined;
    this.#session = undefined;
    if (!reader) return;
    await finished(reader, this.#options.peer.websocket);
    reader.leave();
    this.#outbox.reader = undefined;
  }

  /** A deleted session leaves the connection to the next one; any other end is worth a new connection. */
  #onEnd(session: OpenSession, reason: SubscriberEnd): void {
    if (session !== this.#session) return;
    this.#reader?.leave();
    this.#reader = undefined;
    this.#outbox.reader = undefined;
    this.#session = undefined;
    if (reason === "closed") {
      this.#send(errorFrame(session.id, undefined, deleted));
      return;
    }
    const code = reason === "gone" ? closeCode.released : closeCode[reason];
    this.#options.peer.websocket.close(code, reason);
  }

  #endForRights(reason: RightsEnd): void {
    const { websocket } = this.#options.peer;
    closeForRights(websocket, this.#reader ?? { finish: (close) => close() }, reason);
  }

  get #sessionId(): string | null {
    return this.#session?.id ?? null;
  }

  #sendError(type: unknown, error: WireError): void {
    this.#send(errorFrame(this.#sessionId, type, error));
  }

  #send({ data }: Frame): void {
    this.#outbox.send(data);
  }
}

/** `code` is the kit's own where it has one; `inReplyTo` is the type of the message that failed. */
function errorFrame(sessionId: string | null, inReplyTo: unknown, error: WireError): Frame {
  const { message, retryable, details = {} } = error;
  const { reason } = details;
  const code = typeof reason === "string" ? reason : error.code;
  const named = typeof inReplyTo === "string" && { inReplyTo: inReplyTo.slice(0, 100) };
  return kitFrame(sessionId, { type: "error", error: message, code, retryable, ...named });
}

/** The frame that is being written has ended, or the connection has. */
function finished(reader: Reader, websocket: SocketPeer["websocket"]): Promise<void> {
  return new Promise((resolve) => {
    const onFinished = (): void => {
      websocket.off("close", onFinished);
      resolve();
    };
    websocket.once("close", onFinished);
    reader.finish(onFinished);
  });
}

function fieldOf(input: unknown, name: string): unknown {
  return isObject(input) ? input[name] : undefined;
}

const noSession: Result<never> = {
  ok: false,
  error: wireError("session_not_found", "This connection has no session: send chat or resume."),
};

const deleted = wireError("session_not_found", "The session was deleted.", {
  reason: "session_deleted",
});

function otherSession(id: string): Result<never> {
  const message = `This connection follows another session: resume ${id} first.`;
  return {
    ok: false,
    error: wireError("invalid_request", message, { reason: "session_mismatch" }),
  };
}

function tooLarge(bytes: number): Result<never> {
  const message = `The session is larger than ${MAX_OPENING_BYTES} bytes on this wire: follow it in another dialect.`;
  return { ok: false, error: wireError("payload_too_large", message, { bytes }) };
}
