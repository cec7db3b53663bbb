import type {
  Answers,
  CommandOf,
  ContentBlock,
  EventType,
  SessionEvent,
  SessionEventOf,
} from "@turnwire/protocol";
import { randomUUID } from "node:crypto";
import type { Session } from "../../../server/src/2-session/session.ts";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { eventWhere, readAll } from "../../../server/src/test-support/log-reader.ts";
import { admin } from "../../../server/src/test-support/test-host.ts";

type Creation = Parameters<SessionHost["create"]>[0];

/** A session as a person uses it: says something, waits for what comes. */
export class AgentSession {
  readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  static async create(host: SessionHost, creation: Creation = {}): Promise<AgentSession> {
    const created = await host.create(creation, admin);
    if (!created.ok) throw new Error(created.error.message);
    return new AgentSession(created.value);
  }

  static async open(host: SessionHost, sessionId: string): Promise<AgentSession> {
    const opened = await host.open(sessionId, admin);
    if (!opened.ok) throw new Error(opened.error.message);
    return new AgentSession(opened.value);
  }

  get providerSessionId(): string | undefined {
    return this.session.control.session.provider_session_id;
  }

  async execute(command: Parameters<Session["execute"]>[0]) {
    const result = await this.session.execute(command, admin);
    if (!result.ok) throw new Error(result.error.message);
    return result.value;
  }

  /** Starts a turn and gives back its id. */
  async say(
    content: string | ContentBlock[],
    more: Pick<CommandOf<"user_message">, "is_unattended"> = {},
  ): Promise<string> {
    const { messageId } = await this.execute({
      type: "user_message",
      content,
      client_message_id: randomUUID(),
      ...more,
    });
    const started = await this.until("turn_started", ({ data }) => data.message_id === messageId);
    return started.data.turn_id;
  }

  /** Plays a turn to its end and gives back its events. */
  async turn(content: string | ContentBlock[]): Promise<SessionEvent[]> {
    return this.ended(await this.say(content));
  }

  /** The events of a turn, once it has ended. */
  async ended(turnId: string): Promise<SessionEvent[]> {
    await this.until("done", ({ data }) => data.turn_id === turnId);
    return (await this.events()).filter((event) => event.turn_id === turnId);
  }

  events(): Promise<SessionEvent[]> {
    return readAll(this.session.log);
  }

  /** The first event of the type that fits, past or future. */
  async until<Type extends EventType>(
    type: Type,
    fits: (event: SessionEventOf<Type>) => boolean = () => true,
  ): Promise<SessionEventOf<Type>> {
    const isOfType = (event: SessionEvent): event is Extract<SessionEvent, SessionEventOf<Type>> =>
      event.type === type;
    const event = await eventWhere(
      this.session.log,
      (candidate) => isOfType(candidate) && fits(candidate),
    );
    if (!isOfType(event)) throw new Error(`${event.type} is not a ${type}.`);
    return event;
  }

  /** The open permission request of a turn. */
  async asked(turnId: string): Promise<SessionEventOf<"permission_request">["data"]> {
    return (await this.until("permission_request", (event) => event.turn_id === turnId)).data;
  }

  async decide(
    turnId: string,
    answer: Omit<CommandOf<"permission_response">, "type" | "correlation_id">,
  ): Promise<SessionEvent[]> {
    const { correlation_id } = await this.asked(turnId);
    await this.execute({ type: "permission_response", correlation_id, ...answer });
    return this.ended(turnId);
  }

  async answerQuestion(
    turnId: string,
    answers: Answers,
    notes?: Record<string, string>,
  ): Promise<SessionEvent[]> {
    const { data } = await this.until("question_request", (event) => event.turn_id === turnId);
    await this.execute({
      type: "question_response",
      correlation_id: data.correlation_id,
      answers,
      ...(notes && { notes }),
    });
    return this.ended(turnId);
  }
}

/** What the agent said in these events. */
export function spoken(events: readonly SessionEvent[]): string {
  return events.flatMap((event) => (event.type === "delta" ? [event.data.text] : [])).join("");
}

/** How a turn ended. */
export function ending(events: readonly SessionEvent[]): {
  results: string[];
  isError: boolean;
  isStopped: boolean;
  done: number;
} {
  const results = events.flatMap((event) => (event.type === "result" ? [event.data] : []));
  const done = events.flatMap((event) => (event.type === "done" ? [event.data] : []));
  return {
    results: results.map(({ subtype }) => subtype),
    isError: results.some(({ is_error }) => is_error),
    isStopped: done.some(({ stopped }) => stopped === true),
    done: done.length,
  };
}
