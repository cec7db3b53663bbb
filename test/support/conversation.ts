import type { Session, SessionView, TurnwireClient } from "@turnwire/client";
import type { AgentMessage, Block, CommandOf, SessionEvent, ToolBlock } from "@turnwire/protocol";
import { basename } from "node:path";

/** Longer than the runner lets any test last, which then reports what was open. */
const timeoutMs = 900_000;

export interface ConversationOptions {
  /** Goes into the creation of the session, and nowhere else. */
  readonly runtime: string;
  readonly cwd: string;
}

type Decision = Omit<CommandOf<"permission_response">, "type" | "correlation_id">;

/** A session as a client without any knowledge of runtimes uses it. */
export class Conversation {
  readonly #client: TurnwireClient;
  readonly #session: Session;

  static async start(
    client: TurnwireClient,
    { runtime, cwd }: ConversationOptions,
  ): Promise<Conversation> {
    const { session_id } = await client.sessions.create({ runtime, cwd });
    return new Conversation(client, session_id);
  }

  constructor(client: TurnwireClient, sessionId: string) {
    this.#client = client;
    this.#session = client.openSession(sessionId, { start: "beginning" });
  }

  get session(): Session {
    return this.#session;
  }

  /** Plays one turn to its end, with what a person does meanwhile. */
  async turn(
    text: string,
    meanwhile?: (messageId: string) => Promise<void>,
  ): Promise<AgentMessage> {
    const { message_id } = await this.#session.send(text);
    await meanwhile?.(message_id);
    const { session } = await this.until((view) => answerTo(view, message_id)?.done === true);
    const answer = answerTo({ session }, message_id);
    if (!answer) throw new Error("A turn that has ended has an answer.");
    return answer;
  }

  /** Waits for the agent to ask, and decides. */
  async decide(decision: Decision): Promise<void> {
    const { session } = await this.until((view) => Object.keys(view.session.requests).length > 0);
    const [correlationId = ""] = Object.keys(session.requests);
    await this.#session.respondToPermission(correlationId, decision);
  }

  /** Waits for the agent's first words to a message, and stops the turn. */
  async stop(messageId: string): Promise<void> {
    await this.until((view) => {
      const answer = answerTo(view, messageId);
      return answer?.blocks.some(({ type }) => type === "text") === true;
    });
    await this.#session.interrupt();
  }

  async fork(): Promise<Conversation> {
    const { session_id } = await this.#client.sessions.fork(this.#session.id);
    return new Conversation(this.#client, session_id);
  }

  /** Resolves when the log has an event of this type. */
  async heard(type: SessionEvent["type"]): Promise<void> {
    for await (const event of this.#client.events(this.#session.id)) {
      if (event.type === type) return;
    }
  }

  /** The whole log. */
  async events(): Promise<readonly SessionEvent[]> {
    return (await this.#client.sessions.eventPage(this.#session.id, { limit: 1000 })).events;
  }

  /** The facts of the session, with everything that was reported so far. */
  facts(): SessionView["session"]["session"] {
    return this.#session.getState().session.session;
  }

  close(): void {
    this.#session.close();
  }

  until(predicate: (view: SessionView) => boolean): Promise<SessionView> {
    return this.#session.waitFor(predicate, { timeoutMs });
  }
}

/** The agent's message in the turn that a user message has started. */
function answerTo(
  { session }: Pick<SessionView, "session">,
  messageId: string,
): AgentMessage | undefined {
  const { messages } = session;
  const index = messages.findIndex((message) => message.id === messageId);
  const answer = index === -1 ? undefined : messages[index + 1];
  return answer?.role === "agent" ? answer : undefined;
}

/** The events of a turn, and how it ended. */
export function outlineOf({ blocks, stopped, result }: AgentMessage): string[] {
  const end = stopped ? "stopped" : `ended as ${result?.is_error ? "failed" : "done"}`;
  return [...blocks.flatMap(shown), end];
}

/** A block as a person would describe it; a turn's diff repeats what its tools reported, where it is reported. */
function shown(block: Block): string[] {
  switch (block.type) {
    case "text":
      return ["text"];
    case "tool":
      return [`tool on ${subjectOf(block)}: ${block.status}${exitOf(block)}`];
    case "permission":
      return [`permission: ${block.status}, ${block.resolution?.allowed ? "allowed" : "denied"}`];
    case "diff":
      return [];
    default:
      return [block.type];
  }
}

function subjectOf({ command, file_path }: ToolBlock): string {
  return command ?? (file_path === undefined ? "nothing" : basename(file_path));
}

function exitOf({ exit_code }: ToolBlock): string {
  return typeof exit_code === "number" ? `, exit ${exit_code}` : "";
}

/** The events that a client needs to show a conversation; the number of deltas does not matter. */
const course: ReadonlySet<string> = new Set([
  "user_message",
  "turn_started",
  "thinking",
  "delta",
  "tool_start",
  "permission_request",
  "permission_resolved",
  "tool_result",
  "error",
  "result",
  "done",
] satisfies SessionEvent["type"][]);

/** The types of events in their order, each run of one type as one. */
export function courseOf(events: readonly SessionEvent[]): string[] {
  const types = events.map(({ type }) => type).filter((type) => course.has(type));
  return types.filter((type, index) => type !== types[index - 1]);
}
