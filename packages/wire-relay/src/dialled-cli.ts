import { detach, isObject } from "@turnwire/base";
import { type Principal, type WireError, wireError } from "@turnwire/protocol";
import type { AdoptedCli } from "@turnwire/runtime";
import type { SocketPeer, WireContext } from "@turnwire/wire";
import type { Channel } from "./channel.ts";
import { CliSocket } from "./cli-socket.ts";
import { isOwn, isSaid, objectFrom } from "./dialect/relay.ts";
import { MAX_LINE_BYTES } from "./limit.ts";

/** Where the conversations of all CLIs are. */
export interface ChannelRegistry {
  /** A new one, which front ends follow from now on. */
  openChannel(principal: Principal): Channel;
  /** The one of a conversation of a principal's own, open still. */
  ownChannel(id: string, principal: Principal): Channel | undefined;
  onNamed(channel: Channel): void;
  /** A CLI has come to work in a session that readers have from its log. */
  onCarried(sessionId: string, principal: Principal): void;
  report(principal: Principal, error: WireError): void;
}

export interface DialledCliOptions {
  readonly context: WireContext;
  readonly registry: ChannelRegistry;
  readonly peer: SocketPeer;
  readonly principal: Principal;
  readonly description: string;
  /** Whether every use of a tool is allowed that the CLI asks for. */
  readonly isAutoApproving: boolean;
}

type Line = Readonly<Record<string, unknown>>;

/**
 * One connection of a CLI. Its lines are passed to front ends at once, whatever they are; that it becomes
 * the agent of a session happens separately. Only a CLI that dials in again repeats itself: what its
 * session has already is left out.
 */
export class DialledCli {
  readonly principal: Principal;
  readonly adopted: AdoptedCli;
  readonly #options: DialledCliOptions;
  readonly #link: CliSocket;
  #channel: Channel;
  /** Whether the conversation was passed on over an earlier connection too. */
  #isContinued = false;
  /** Whether readers have the conversation from the log of its session, which is from before this relay. */
  #isFromLog = false;
  /** While it is looked up whether a conversation is new: what the CLI writes meanwhile. */
  #held: string[] | undefined;
  #initializeId: unknown;
  #isInitialized = false;
  /** The inputs of tools that the CLI asked about before it had named its conversation, by request. */
  readonly #asked = new Map<string, unknown>();
  /** The heads of logs that had begun before their conversations came here. */
  readonly #beginnings = new Map<string, number>();

  constructor(options: DialledCliOptions) {
    const { context, registry, principal } = options;
    this.#options = options;
    this.principal = principal;
    this.#channel = registry.openChannel(principal);
    this.#link = new CliSocket({
      ...options,
      onLine: (line) => this.#take(line),
      onWrite: (line) => this.#wrote(line),
      onDropped: (bytes) => registry.report(principal, dropped(bytes)),
    });
    this.adopted = context.host.adoptCli(this.#link, principal);
    this.adopted.onSession((id) => detach(this.#join(id), context.report));
  }

  /** Whether it waits for its first message: it has not named its conversation. */
  get isWaiting(): boolean {
    return this.adopted.sessionId === undefined && !this.#isFromLog;
  }

  get channel(): Channel | undefined {
    return this.#isFromLog ? undefined : this.#channel;
  }

  hasAsked(requestId: string): boolean {
    return this.#asked.has(requestId);
  }

  /** Answers a request that the CLI made before it had named its conversation. */
  async answer(requestId: string, line: Line, text: string): Promise<void> {
    const input = this.#asked.get(requestId);
    this.#asked.delete(requestId);
    const nested = isObject(line["response"]) ? text : nestedAnswer(requestId, line, input);
    await this.#link.write(nested);
  }

  /** The connection is over; a conversation without a name ends with it. */
  leave(): void {
    if (this.#channel.conversationId === undefined) this.#channel.close("closed");
  }

  #take(line: string): void {
    if (this.#held) this.#held.push(line);
    else this.#pass(line);
  }

  #pass(line: string): void {
    const message = objectFrom(line);
    const uuid = typeof message["uuid"] === "string" ? message["uuid"] : undefined;
    const id = conversationIn(message);
    if (id !== undefined && id !== this.#channel.conversationId && !this.#isFromLogOf(id)) {
      const isRepeatable = uuid !== undefined && !this.#isInitialized;
      if (!this.#enter(id, isRepeatable)) {
        this.#held = [line];
        return;
      }
    }
    this.#noteControl(message);
    const isRepeated = this.#isContinued && uuid !== undefined && this.#channel.hasSeen(uuid);
    if (this.#isFromLog || isOwn(line) || (isRepeated && !this.#isInitialized)) return;
    this.#channel.take(line, uuid);
  }

  #isFromLogOf(id: string): boolean {
    return this.#isFromLog && this.#beginnings.has(id);
  }

  /** False where it must be known first whether the conversation has been here before. */
  #enter(id: string, isRepeatable: boolean): boolean {
    const { registry, principal, context } = this.#options;
    const known = registry.ownChannel(id, principal);
    if (known) {
      if (this.#channel.conversationId === undefined) this.#channel.close("closed");
      this.#channel = known;
      this.#isContinued = true;
      this.#isFromLog = false;
      return true;
    }
    const looked = this.#lookUp(id);
    if (isRepeatable) {
      const released = looked.then(
        (isKnown) => this.#release(id, isKnown),
        (error: unknown) => {
          context.report(error);
          this.#release(id, false);
        },
      );
      detach(released, context.report);
      return false;
    }
    detach(looked, context.report);
    this.#begin(id);
    return true;
  }

  #begin(id: string): void {
    const { registry, principal } = this.#options;
    if (this.#channel.conversationId !== undefined || this.#channel.end) {
      this.#channel = registry.openChannel(principal);
    }
    this.#isContinued = false;
    this.#isFromLog = false;
    this.#channel.name(id);
    registry.onNamed(this.#channel);
  }

  async #lookUp(id: string): Promise<boolean> {
    const { host } = this.#options.context;
    const found = await host.past.open(id, this.principal);
    if (found.ok) this.#beginnings.set(id, found.value.log.head);
    return found.ok;
  }

  #release(id: string, isKnown: boolean): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    if (isKnown) {
      if (this.#channel.conversationId === undefined) this.#channel.close("closed");
      this.#isFromLog = true;
    } else this.#begin(id);
    for (const line of held) this.#take(line);
  }

  async #join(sessionId: string): Promise<void> {
    const { context, registry } = this.#options;
    const opened = await context.host.openOrRead(sessionId, this.principal);
    if (!opened.ok) return;
    const session = opened.value;
    const { provider_session_id: id = "" } = session.control.session;
    const channel = registry.ownChannel(id, this.principal) ?? this.#unnamed(id);
    channel?.join(session, this.#beginnings.get(id) ?? 0);
    registry.onCarried(sessionId, this.principal);
  }

  /** A line that is not JSON may have named the conversation: the session knows it then. */
  #unnamed(id: string): Channel | undefined {
    if (this.#isFromLog || this.#channel.conversationId !== undefined) return undefined;
    this.#channel.name(id);
    this.#options.registry.onNamed(this.#channel);
    return this.#channel;
  }

  #wrote(line: string): void {
    const { type, request, request_id } = objectFrom(line);
    const isRequest = type === "control_request" && isObject(request);
    if (isRequest && request["subtype"] === "initialize") this.#initializeId ??= request_id;
    if (isSaid(line) && !this.#isFromLog) this.#channel.say(line);
  }

  #noteControl({ type, request_id: id, request, response }: Line): void {
    if (type === "control_response" && isObject(response)) {
      this.#isInitialized ||= response["request_id"] === this.#initializeId;
    }
    if (typeof id !== "string" || this.#channel.conversationId !== undefined) return;
    if (type === "control_cancel_request") this.#asked.delete(id);
    if (type !== "control_request" || !isObject(request)) return;
    if (request["subtype"] !== "can_use_tool") return;
    this.#asked.set(id, request["input"]);
    if (!this.#options.isAutoApproving) return;
    const answered = this.answer(id, { permission: { allow: true } }, "");
    detach(answered, this.#options.context.report);
  }
}

const CONVERSATION_ID = /^[\w.-]{1,128}$/;

/** Only at its top: what tools say may contain anything. */
function conversationIn({ type, session_id: id }: Line): string | undefined {
  const isControl = typeof type === "string" && type.startsWith("control_");
  return typeof id === "string" && !isControl && CONVERSATION_ID.test(id) ? id : undefined;
}

/** The flat form of front ends, which would end a real CLI, as the CLI takes it. */
function nestedAnswer(requestId: string, { permission }: Line, input: unknown): string {
  const { allow, message = "" } = isObject(permission) ? permission : {};
  const response =
    allow === true
      ? { behavior: "allow", updatedInput: input ?? {} }
      : { behavior: "deny", message };
  return JSON.stringify({
    type: "control_response",
    response: { subtype: "success", request_id: requestId, response },
  });
}

function dropped(bytes: number): WireError {
  const message = `A line of the CLI with ${bytes} bytes or more was dropped: a line has at most ${MAX_LINE_BYTES}.`;
  return wireError("payload_too_large", message);
}
