import {
  type AnswerCommand,
  type AnswerTo,
  type Delivery,
  type HasAttachments,
  type MessageContent,
  requestId,
  type RequestKind,
  requestKinds,
  type SendMessage,
  type SessionEvent,
} from "@turnwire/protocol";
import { ClientError, clientErrorFrom } from "../5-connection/client-error.ts";
import { initialConnection, type Snapshot } from "../5-connection/connection-state.ts";
import { follow, type Following } from "../5-connection/follow.ts";
import type { Platform } from "../5-connection/platform.ts";
import type { Cursor, OpenStream } from "../5-connection/stream.ts";
import type { AnswerState } from "./request-progress.ts";
import { restore } from "./restore.ts";
import type {
  Accepted,
  AcceptedMessage,
  CallOptions,
  OwnCommand,
  SessionApi,
} from "./session-api.ts";
import { SessionStore } from "./session-store.ts";
import type { SessionView } from "./session-view.ts";
import { waitForView, type WaitOptions } from "./wait-for-view.ts";

export interface OpenSessionOptions {
  /**
   * Where the state comes from: the server's snapshot (the default, best for long logs),
   * a snapshot that is already there, or the log itself from its beginning.
   */
  readonly start?: "snapshot" | "beginning" | Snapshot;
}

export interface SessionPorts {
  readonly platform: Platform;
  readonly api: SessionApi;
  readonly openStream: OpenStream;
}

/** The content of an answer, apart from the request's id. */
export type ResponseTo<Kind extends RequestKind> = Kind extends RequestKind
  ? Omit<AnswerTo<Kind>, "type" | "correlation_id" | "interrupt_id">
  : never;

export type SendOptions = Omit<SendMessage, "message"> & CallOptions;

/** A message that failed, as it was to be sent. */
interface UnsentMessage {
  readonly route: "message" | "steer";
  readonly content: MessageContent;
  readonly options: Omit<SendMessage, "message">;
}

/** A session that is followed from now until `close`: its view, and the commands that change it. */
export class Session {
  readonly id: string;
  readonly #ports: SessionPorts;
  readonly #store: SessionStore;
  readonly #following: Following;
  readonly #eventListeners = new Set<(events: readonly SessionEvent[]) => void>();
  /** The content of failed messages, by `client_message_id`. */
  readonly #unsent = new Map<string, UnsentMessage>();

  constructor(id: string, ports: SessionPorts, { start = "snapshot" }: OpenSessionOptions = {}) {
    const { platform, api, openStream } = ports;
    const from = { ...startingPoint(start), onGap: "snapshot" as const };
    this.id = id;
    this.#ports = ports;
    this.#store = new SessionStore({
      ...(typeof start === "object" && { session: start.state }),
      connection: initialConnection(from),
      reportError: (error) => platform.reportError(error),
    });
    this.#following = follow({
      platform,
      from,
      openStream,
      takeSnapshot: (signal) => api.snapshot(id, { signal }),
      onUpdate: (update) => {
        for (const listener of this.#eventListeners) listener(update.events);
        this.#store.update(update);
        return undefined;
      },
    });
  }

  /** The functions of the runtime that the session uses, as its client was given them. */
  get platform(): Platform {
    return this.#ports.platform;
  }

  /** The same object until something changes. */
  getState(): SessionView {
    return this.#store.getState();
  }

  /** Calls the listener after each change, once for all that one chunk brought. */
  subscribe(listener: () => void): () => void {
    return this.#store.subscribe(listener);
  }

  /** Calls the listener when the selected value has become another one. */
  select<Value>(
    selector: (view: SessionView) => Value,
    listener: (value: Value) => void,
  ): () => void {
    return this.#store.select(selector, listener);
  }

  /** Calls the listener with new events, just before the view has them; not with those that a snapshot covers. */
  onEvents(listener: (events: readonly SessionEvent[]) => void): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  /** Shows the message at once and resolves when the server has it; the same `client_message_id` again tries again. */
  send(content: MessageContent, options: SendOptions = {}): Promise<AcceptedMessage> {
    return this.#send("message", content, options);
  }

  /** Sends a message into the running turn. */
  steer(content: MessageContent, options: SendOptions = {}): Promise<AcceptedMessage> {
    return this.#send("steer", content, { ...options, delivery: "steer" });
  }

  /** Withdraws a queued message; refused once its turn runs, or when it is gone. */
  withdraw(messageId: string, options?: CallOptions): Promise<Accepted> {
    return this.execute({ type: "cancel_message", message_id: messageId }, options);
  }

  /** Sends a failed message again, unchanged; if the server had it after all, nothing happens twice. */
  async resend(clientMessageId: string): Promise<AcceptedMessage> {
    const unsent = this.#unsent.get(clientMessageId);
    if (unsent) return this.#send(unsent.route, unsent.content, unsent.options);
    throw new ClientError("aborted", `No message ${clientMessageId} has failed`);
  }

  /** Forgets a message that failed. */
  discard(clientMessageId: string): void {
    this.#unsent.delete(clientMessageId);
    this.#store.discard(clientMessageId);
  }

  /** Asks the running turn to stop; harmless when none runs. */
  interrupt(options?: CallOptions): Promise<void> {
    return this.#cancelling(() => this.#ports.api.stop(this.id, options));
  }

  /** Answers an open request of that kind. */
  respond<Kind extends RequestKind>(
    kind: Kind,
    id: string,
    response: ResponseTo<Kind>,
  ): Promise<Accepted> {
    const { response: type, id: idField } = requestKinds[kind];
    // The kind's own command and id field, with what that command has beside them.
    return this.execute({ type, [idField]: id, ...response } as unknown as AnswerCommand);
  }

  respondToPermission(id: string, response: ResponseTo<"permission">): Promise<Accepted> {
    return this.respond("permission", id, response);
  }

  respondToQuestion(id: string, response: ResponseTo<"question">): Promise<Accepted> {
    return this.respond("question", id, response);
  }

  respondToHook(id: string, response: ResponseTo<"hook">): Promise<Accepted> {
    return this.respond("hook", id, response);
  }

  respondToInterrupt(id: string, response: ResponseTo<"interrupt">): Promise<Accepted> {
    return this.respond("interrupt", id, response);
  }

  respondToToolCall(id: string, response: ResponseTo<"tool_call">): Promise<Accepted> {
    return this.respond("tool_call", id, response);
  }

  respondToBudget(id: string, response: ResponseTo<"budget">): Promise<Accepted> {
    return this.respond("budget", id, response);
  }

  /** Any command; the view follows it as if the method of its name had been called. */
  execute(command: OwnCommand, options?: CallOptions): Promise<Accepted> {
    const run = () => this.#ports.api.command(this.id, command, options);
    switch (command.type) {
      case "user_message":
      case "steer": {
        const { type, content, ...rest } = command;
        return this.#send(type === "steer" ? "steer" : "message", content, { ...rest, ...options });
      }
      case "interrupt":
        return this.#cancelling(run);
      case "cancel_message":
      case "tool_call_claim":
      case "component_callback":
      case "add_to_catalog":
      case "show_component":
      case "remove_component":
      case "ask":
      case "state_patch":
      case "set_model":
      case "set_effort":
      case "set_permission_mode":
      case "set_policy_mode":
      case "set_budget":
      case "revoke_permission":
      case "stop_task":
      case "read_context":
      case "reconnect_mcp_server":
      case "rollback":
      case "compact":
      case "archive":
      case "unarchive":
      case "rename":
        return run();
      default:
        return this.#responding(requestId(command), run);
    }
  }

  /** The bytes of what a block or message has in its `attachments`. */
  attachment(digest: string, options?: CallOptions): Promise<Uint8Array> {
    return this.#ports.api.attachment(this.id, digest, options);
  }

  /** A block, message or open request as it was before its large parts were stored beside the log. */
  restore<Value extends HasAttachments>(shown: Value, options?: CallOptions): Promise<Value> {
    const load = (digest: string) => this.attachment(digest, options);
    return restore(shown, { platform: this.#ports.platform, load });
  }

  /** Resolves with the first view that the predicate holds for; rejects when no more can come. */
  waitFor(
    predicate: (view: SessionView) => boolean,
    options: WaitOptions = {},
  ): Promise<SessionView> {
    return waitForView(this.#store, predicate, {
      ...options,
      platform: this.#ports.platform,
      name: `Waiting for session ${this.id}`,
    });
  }

  /** Tries again at once, also after a final failure. */
  reconnect(): void {
    this.#following.reconnect();
  }

  /** Stops following; the last view stays. */
  close(): void {
    this.#following.stop();
  }

  async #send(
    route: UnsentMessage["route"],
    content: MessageContent,
    { signal, ...given }: SendOptions,
  ): Promise<AcceptedMessage> {
    const { api, platform } = this.#ports;
    const id = given.client_message_id ?? platform.createId();
    const options = { ...given, client_message_id: id };
    this.#unsent.delete(id);
    this.#store.pending({
      client_message_id: id,
      content,
      delivery: this.#deliveryOf(route, given),
    });
    try {
      const accepted = await api[route](
        this.id,
        { ...options, message: content },
        signal && { signal },
      );
      // One that waits for the session's host is sent when the log has it.
      if (!accepted.is_pending) this.#store.accepted(id, accepted.seq);
      return accepted;
    } catch (thrown) {
      const error = clientErrorFrom(thrown);
      this.#unsent.set(id, { route, content, options });
      this.#store.refused(id, error);
      throw error;
    }
  }

  /** How a message will be delivered, as far as is known before the server has it. */
  #deliveryOf(route: UnsentMessage["route"], { delivery = "queue" }: SendOptions): Delivery {
    const { turn, queue } = this.getState().session;
    if (route === "steer") return "steer";
    if (delivery !== "queue") return delivery;
    return turn || queue.length > 0 ? "queue" : "turn";
  }

  async #cancelling<Result>(run: () => Promise<Result>): Promise<Result> {
    this.#store.cancelling(this.getState().session.turn?.turn_id);
    try {
      return await run();
    } catch (thrown) {
      this.#store.cancelling(undefined);
      throw thrown;
    }
  }

  async #responding(requestId: string, run: () => Promise<Accepted>): Promise<Accepted> {
    this.#store.answering(requestId, { status: "responding" });
    try {
      return await run();
    } catch (thrown) {
      const error = clientErrorFrom(thrown);
      this.#store.answering(requestId, answerRefused(error));
      throw error;
    }
  }
}

function startingPoint(start: NonNullable<OpenSessionOptions["start"]>): Partial<Cursor> {
  if (start === "snapshot") return {};
  return start === "beginning" ? { after: 0 } : { after: start.seq, epoch: start.epoch };
}

function answerRefused(error: ClientError): AnswerState {
  if (error.error?.code !== "already_resolved") return { status: "failed", error };
  // A try that got lost on its way may be the answer that was taken: the log will show.
  const isMaybeOurs = error.cause instanceof ClientError;
  return isMaybeOurs ? { status: "responding" } : { status: "conflict", error };
}
