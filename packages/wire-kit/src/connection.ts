import { isObject } from "@turnwire/base";
import {
  type Result,
  type WireError,
  wireError,
  type Principal,
  canReach,
  type Message,
  type SessionState,
} from "@turnwire/protocol";
import {
  type OpenSession,
  type Frame,
  type StatefulDialect,
  jsonFromBytes,
  type Connection,
  type FollowEnd,
  type SocketPeer,
  type ReadableLog,
  type WireHost,
  withWholeContent,
} from "@turnwire/wire";
import { INLINED_BYTES, kit, kitWithPartialMessages } from "./dialect/kit.ts";
import { kitFrame, kitSessionId, messagesFrame, stateFrame } from "./dialect/frame.ts";
import { KitOptionsDraft } from "./options-draft.ts";
import { findKitSession, listKitSessions } from "./session.ts";

export interface KitSocketOptions {
  readonly host: WireHost;
  readonly peer: SocketPeer;
  /** The runtime of sessions that begin here; without it, the server's default. */
  readonly runtime: string | undefined;
  /** No one can be asked during the turns of what this client sends. */
  readonly isUnattended: boolean;
}

/** It is held in memory until its reader has taken it. */
const MAX_OPENING_BYTES = 64 * 1024 * 1024;

/** One client of Claude Agent Kit: a connection that has no session at first, and one at a time. */
export class KitSocket {
  readonly #options: KitSocketOptions;
  readonly #connection: Connection;
  readonly #draft: KitOptionsDraft;
  #session: OpenSession | undefined;

  constructor(options: KitSocketOptions) {
    this.#options = options;
    this.#draft = new KitOptionsDraft(options.host, options.runtime);
    this.#connection = options.peer.connect({
      check: (principal) =>
        !this.#session || canReach(principal, this.#session) ? undefined : "unknownSession",
      receive: (bytes) => this.#receive(bytes),
    });
  }

  start(): void {
    this.#send(stateFrame(null, { isBusy: false, isLoading: false, ...this.#draft.settings }));
    this.#send(kitFrame(null, { type: "connected", message: "Connected to Turnwire." }));
  }

  async #receive(bytes: Uint8Array): Promise<void> {
    const input = jsonFromBytes(bytes);
    if (!input.ok) {
      const error = wireError("invalid_request", "Invalid JSON payload", {
        reason: "invalid_json",
        problem: input.error.message,
      });
      return this.#sendError(undefined, error);
    }
    const type = fieldOf(input.value, "type");
    const done = await this.#connection.act((principal) =>
      this.#perform(type, input.value, principal),
    );
    if (done?.ok === false) this.#sendError(type, done.error);
  }

  async #perform(type: unknown, input: unknown, principal: Principal): Promise<Result<unknown>> {
    switch (type) {
      case "resume":
        return this.#resumeOrClear(fieldOf(input, "sessionId"), principal);
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
    else if (typeof wanted === "string" && wanted !== "") {
      const followed = await this.#followWanted(wanted, principal);
      if (!followed.ok) return followed;
    }
    if (this.#session) return this.#execute(input, principal);
    // What is wrong with the message is found before a session begins with it.
    const control = this.#draft.emptyControl;
    const command = kit.commandFrom(input, control);
    if (!command.ok) return command;
    const created = await this.#options.host.create(await this.#draft.creation(), principal);
    if (!created.ok) return created;
    // It has nothing to load: its first frames are those of this message.
    this.#follow(created.value, created.value.log.head, this.#dialect);
    return this.#execute(input, principal);
  }

  /** The session that a message names is followed, unless another one is. */
  async #followWanted(id: string, principal: Principal): Promise<Result<unknown>> {
    const present = this.#session;
    const { session_id, provider_session_id } = present?.control.session ?? {};
    if (id === session_id || id === provider_session_id) return { ok: true, value: undefined };
    const found = await findKitSession(this.#options.host, id, principal);
    if (!present) return found.ok ? this.#join(found.value) : found;
    return found.ok && found.value.id === present.id ? found : otherSession(id);
  }

  async #execute(input: unknown, principal: Principal): Promise<Result<unknown>> {
    const session = this.#session;
    const command = kit.commandFrom(input, session?.control ?? this.#draft.emptyControl);
    if (!command.ok) return command;
    if (!session) return noSession;
    const isUnattended = this.#options.isUnattended && command.value.type === "user_message";
    const done = await session.execute(
      isUnattended ? { ...command.value, is_unattended: true } : command.value,
      principal,
    );
    const clientMessageId = fieldOf(input, "clientMessageId");
    if (done.ok && typeof clientMessageId === "string") {
      const { messageId, duplicate, isPending } = done.value;
      const type = "message_accepted";
      const fate = { clientMessageId, messageId, duplicate, isPending };
      this.#send(kitFrame(this.#sessionId, { type, ...fate }));
    }
    return done;
  }

  async #setOptions(input: unknown, principal: Principal): Promise<Result<unknown>> {
    const change = await this.#draft.parse(input, this.#session, principal);
    if (!change.ok) return change;
    const session = this.#session;
    if (session && change.value.commands.length > 0) {
      const updated = await session.update(change.value.commands, principal);
      if (!updated.ok) return updated;
    }
    const isRestarted = this.#draft.apply(change.value.options);
    if (!session) this.#send(stateFrame(null, this.#draft.settings));
    else if (isRestarted) {
      const joined = await this.#join(session);
      if (!joined.ok) return joined;
    }
    if (session && (change.value.commands.length === 0 || this.#draft.hasPartialMessages)) {
      this.#send(stateFrame(this.#sessionId, this.#draft.settingsWith(session)));
    }
    return { ok: true, value: undefined };
  }

  /** The kit answers an unknown id with an empty conversation: its clients show that one from now on. */
  async #resumeOrClear(id: unknown, principal: Principal): Promise<Result<unknown>> {
    const found = await findKitSession(this.#options.host, id, principal);
    if (found.ok) return this.#join(found.value);
    if (found.error.code === "session_not_found" && typeof id === "string") {
      await this.#leave();
      const shown = id.trim();
      this.#send(stateFrame(shown, { isLoading: true }));
      this.#send(messagesFrame(shown, []));
      this.#send(stateFrame(shown, { isLoading: false }));
    }
    return found;
  }

  /** The connection's session from now on: all of it first, then what happens. */
  async #join(session: OpenSession): Promise<Result<unknown>> {
    const dialect = this.#dialect;
    await this.#leave();
    const id = kitSessionId(session.control.session);
    this.#send(stateFrame(id, { isLoading: true }));
    const isOver = stateFrame(id, { isLoading: false });
    const { seq: after, state } = await session.snapshot();
    const opening = dialect.opening(await withWholeMessages(state, session.log));
    const length = opening.reduce((sum, { data }) => sum + data.length, 0);
    if (length > MAX_OPENING_BYTES) {
      this.#send(isOver);
      return tooLarge(length);
    }
    this.#connection.sendOpening([...opening, isOver].map(({ data }) => data));
    this.#follow(session, after, dialect);
    return { ok: true, value: undefined };
  }

  #follow(session: OpenSession, after: number, dialect: StatefulDialect): void {
    this.#session = session;
    this.#connection.follow({
      session,
      after,
      dialect,
      onEnd: (reason) => this.#onEnd(session, reason),
    });
  }

  get #dialect(): StatefulDialect {
    return this.#draft.hasPartialMessages ? kitWithPartialMessages : kit;
  }

  async #leave(): Promise<void> {
    this.#session = undefined;
    await this.#connection.leave();
  }

  /** A deleted session leaves the connection to the next one; any other end is worth a new connection. */
  #onEnd(session: OpenSession, reason: FollowEnd): void {
    this.#session = undefined;
    const id = kitSessionId(session.control.session);
    if (reason === "closed") this.#send(errorFrame(id, undefined, deleted));
    else this.#connection.close(reason === "gone" ? "released" : reason, reason);
  }

  get #sessionId(): string | null {
    return this.#session ? kitSessionId(this.#session.control.session) : null;
  }

  #sendError(type: unknown, error: WireError): void {
    this.#send(errorFrame(this.#sessionId, type, error));
  }

  #send({ data }: Frame): void {
    this.#connection.send(data);
  }
}

/** The state in which people's messages have all that they attached. */
async function withWholeMessages(state: SessionState, log: ReadableLog): Promise<SessionState> {
  const messages: Message[] = [];
  for (const message of state.messages) {
    messages.push(
      message.role === "user" ? await withWholeContent(message, log, INLINED_BYTES) : message,
    );
  }
  return { ...state, messages };
}

/** `code` is the kit's own where it has one; `inReplyTo` is the type of the message that failed. */
function errorFrame(sessionId: string | null, inReplyTo: unknown, error: WireError): Frame {
  const { message, retryable, details = {} } = error;
  const { reason } = details;
  const code = typeof reason === "string" ? reason : error.code;
  const named = typeof inReplyTo === "string" && { inReplyTo: inReplyTo.slice(0, 100) };
  return kitFrame(sessionId, { type: "error", error: message, code, retryable, ...named });
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
