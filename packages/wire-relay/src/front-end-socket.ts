import { detach, isObject } from "@turnwire/base";
import {
  accepted,
  type Command,
  initialControl,
  rejected,
  type Result,
  type WireError,
  wireError,
  type Principal,
} from "@turnwire/protocol";
import {
  type Connection,
  controlRequestId,
  controlResponse,
  type FollowEnd,
  initializeResponse,
  isInitialize,
  jsonFromBytes,
  LineCarry,
  type OpenSession,
  type SocketPeer,
  unchanged,
  websocketLines,
  type WireContext,
} from "@turnwire/wire";
import { hasNativeLines, relay } from "./dialect/relay.ts";
import type { DialledCli } from "./dialled-cli.ts";
import type { DialledClis } from "./dialled-clis.ts";
import { findSession } from "./find-session.ts";
import { MAX_LINE_BYTES, MAX_OPENING_BYTES } from "./limit.ts";
import { answerTo, targetOf } from "./line-target.ts";
import { nativeRequestId, requestAbout } from "./native-request.ts";
import { RelayFrames } from "./relay-frames.ts";
import { SessionSelection } from "./session-selection.ts";
import { status } from "./status.ts";

export interface FrontEndSocketOptions {
  readonly context: WireContext;
  readonly clis: DialledClis;
  readonly peer: SocketPeer;
  readonly principal: Principal;
  /** The sessions that it named; none: all that are live. */
  readonly named: readonly string[];
}

type Line = Readonly<Record<string, unknown>>;

/** A front end of the relay: the lines of many sessions out, and what a person says to any of them in. */
export class FrontEndSocket {
  readonly #options: FrontEndSocketOptions;
  readonly #connection: Connection;
  readonly #frames: RelayFrames;
  readonly #carry = new LineCarry();
  /** What it sends at once is for the sessions that it finds. */
  #selected: Promise<void> = Promise.resolve();

  constructor(options: FrontEndSocketOptions) {
    this.#options = options;
    this.#connection = options.peer.connect({
      check: unchanged(options.principal),
      receive: (bytes) => this.#receive(bytes),
    });
    this.#frames = new RelayFrames({
      framesOf: options.context.framesOf,
      onLost: (session, reason) => this.#sendError(lost(session, reason)),
      onError: options.context.report,
    });
  }

  async start(): Promise<void> {
    const { clis, principal } = this.#options;
    if (clis.hasAny(principal)) this.#connection.send(status.isConnected);
    this.#connection.serve({
      frames: this.#frames,
      after: 0,
      transport: websocketLines.name,
      release: () => this.#frames.release(),
      onEnd: () => undefined,
    });
    this.#selected = this.#select();
    await this.#selected;
  }

  async #select(): Promise<void> {
    const { context, clis, principal, named } = this.#options;
    const selection = new SessionSelection({
      host: context.host,
      clis,
      principal,
      named,
      frames: this.#frames,
      onError: context.report,
      onProblem: (error) => this.#sendError(error),
    });
    const leave = clis.subscribe({
      principal,
      // After everything that was said before.
      onStatus: (line) => this.#frames.whenRead(() => this.#connection.send(line)),
      onChannel: (channel) => selection.takeChannel(channel),
      onNamed: (channel) => selection.takeNamed(channel),
      onError: (error) => this.#sendError(error),
      onSession: (id) => selection.takeCarried(id),
    });
    const left = this.#connection.closed.then(() => {
      leave();
      selection.stop();
    });
    detach(left, context.report);
    await selection.start();
  }

  async #receive(bytes: Uint8Array): Promise<void> {
    if (bytes.length > MAX_LINE_BYTES) {
      this.#carry.skip();
      return this.#sendError(tooLong);
    }
    for (const line of this.#carry.take(Buffer.from(bytes).toString())) {
      await this.#takeLine(line);
    }
    if (this.#carry.length <= MAX_LINE_BYTES) return;
    this.#carry.skip();
    this.#sendError(tooLong);
  }

  async #takeLine(text: string): Promise<void> {
    const parsed = jsonFromBytes(Buffer.from(text));
    if (!parsed.ok) return this.#sendError(parsed.error);
    const line = parsed.value;
    if (!isObject(line)) return this.#sendError(noObject);
    if (line["type"] === "keep_alive") return;
    await this.#selected;
    const outcome = await this.#connection.act((principal) => this.#pass(line, text, principal));
    if (!outcome) return;
    if (outcome === passedOn) return;
    const requestId = controlRequestId(line);
    if (requestId !== undefined) this.#connection.send(`${controlResponse(requestId, outcome)}\n`);
    else if (!outcome.ok) this.#sendError(outcome.error);
  }

  async #pass(line: Line, text: string, principal: Principal): Promise<Result<object>> {
    const { clis, context } = this.#options;
    await clis.joined(principal);
    const target = targetOf(line, {
      sessions: this.#frames.sessions,
      connectedIds: clis.sessionIds(principal),
      waiting: clis.waiting(principal),
      asking: (requestId) => clis.asking(requestId, principal),
    });
    if (!target.ok) return target;
    switch (target.value.type) {
      case "session":
        return this.#execute(target.value.session, line, principal);
      case "other": {
        const { id, waiting } = target.value;
        const channel = clis.channelOf(id, principal);
        if (channel && (await clis.sessionOf(channel))) {
          return this.#pass(line, text, principal);
        }
        const session = await findSession(context.host, id, principal);
        if (session.ok) return this.#execute(session.value, line, principal);
        return waiting ? this.#send(waiting, { line, text, principal }) : session;
      }
      case "asking": {
        await target.value.cli.answer(target.value.id, line, text);
        return accepted({});
      }
      case "request":
        return this.#answer(line, target.value.id, principal);
      case "cli":
        return this.#send(target.value.cli, { line, text, principal });
    }
  }

  /** To a CLI that has not named its conversation. */
  async #send(
    { adopted, channel }: DialledCli,
    { line, text, principal }: { line: Line; text: string; principal: Principal },
  ): Promise<Result<object>> {
    const checked = relay.commandFrom(line, initialControl());
    if (!checked.ok) return checked;
    if (await adopted.send(text)) return passedOn;
    // It has named its session in this very moment.
    if (channel) await this.#options.clis.sessionOf(channel);
    return this.#pass(line, text, principal);
  }

  async #execute(session: OpenSession, line: Line, principal: Principal): Promise<Result<object>> {
    if (line["type"] === "user" && this.#options.clis.hasLost(session)) {
      const message = "The CLI of this session is not connected now.";
      return rejected("session_not_found", message, { reason: "no_agent" });
    }
    return execute(session, line, principal);
  }

  /** Answers a request by the id that a CLI gave it. */
  async #answer(line: Line, id: string, principal: Principal): Promise<Result<object>> {
    const channel = this.#frames.channels.find((each) => each.subjectOf(id) !== undefined);
    // A person may be faster than the session is made.
    const joined = channel && (await this.#options.clis.sessionOf(channel));
    const own = joined && (await requestAbout(joined, channel.subjectOf(id) ?? id));
    if (joined && own !== undefined) return this.#execute(joined, answerTo(line, own), principal);
    for (const session of this.#frames.sessions) {
      const own = await nativeRequestId(session, id);
      if (own !== undefined) return this.#execute(session, answerTo(line, own), principal);
    }
    return rejected(
      "request_not_found",
      `There is no request ${JSON.stringify(id.slice(0, 100))}.`,
    );
  }

  #sendError(error: WireError): void {
    this.#connection.send(`${JSON.stringify({ type: "error", error })}\n`);
  }
}

async function execute(
  session: OpenSession,
  line: Line,
  principal: Principal,
): Promise<Result<object>> {
  if (isInitialize(line)) return accepted(initializeResponse(session.control));
  const command = relay.commandFrom(line, session.control);
  if (!command.ok) return command;
  const piped = pipedCommand(command.value, session);
  const done = await session.execute(piped, principal);
  if (done.ok) return accepted({});
  const isLate = piped !== command.value && done.error.code === "turn_not_running";
  return isLate ? execute(session, line, principal) : done;
}

/** A CLI takes what it is sent while it works, and decides itself when to look at it. */
function pipedCommand(command: Command, { control }: OpenSession): Command {
  const isPiped = command.type === "user_message" && hasNativeLines(control);
  return isPiped && control.turn ? { ...command, delivery: "steer" } : command;
}

/** The CLI itself answers. */
const passedOn = accepted({});

const noObject = wireError("invalid_request", "A line must be a JSON object.");
const tooLong = wireError("payload_too_large", `A line has at most ${MAX_LINE_BYTES} bytes.`);

function lost({ id }: OpenSession, reason: FollowEnd | "too_large"): WireError {
  if (reason !== "too_large") {
    return wireError("internal", `Session ${id} cannot be read now.`, { session_id: id });
  }
  const message = `Session ${id} is larger than ${MAX_OPENING_BYTES} bytes on this wire: follow it in another dialect.`;
  return wireError("payload_too_large", message, { session_id: id });
}
