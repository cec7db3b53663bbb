import { query, type Query, type SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import type { SessionEvent } from "@turnwire/protocol";
import type { SessionHost } from "@turnwire/server";
import { randomUUID } from "node:crypto";

/** How long one turn took, from the message to its first text and to its end. */
export interface TurnTime {
  readonly firstTextMs: number;
  readonly endMs: number;
}

const principal = { id: "bench", isAdmin: true };

/** A session on the bare SDK, with the options that the runtime gives it too. */
export class BareSession {
  readonly #query: Query;
  #push: (message: SDKUserMessage) => void = () => undefined;
  #end: () => void = () => undefined;

  constructor(cwd: string, env: Readonly<Record<string, string>>) {
    this.#query = query({
      prompt: this.#input(),
      options: {
        cwd,
        env: {
          PATH: process.env["PATH"],
          CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: "1",
          DISABLE_AUTOUPDATER: "1",
          ...env,
        },
        model: "claude-opus-5-5",
        permissionMode: "default",
        settingSources: [],
        includePartialMessages: true,
        forwardSubagentText: true,
        enableFileCheckpointing: true,
        systemPrompt: { type: "preset", preset: "claude_code" },
        canUseTool: async () => ({ behavior: "deny", message: "no" }),
      },
    });
  }

  async turn(text: string): Promise<TurnTime> {
    await this.#query.initializationResult();
    const startedAt = performance.now();
    let firstTextMs = Number.NaN;
    this.#push(messageOf(text));
    for (;;) {
      const { value: message } = await this.#query.next();
      if (!message) throw new Error("The bare agent ended.");
      if (message.type === "stream_event" && message.event.type === "content_block_delta") {
        if (Number.isNaN(firstTextMs)) firstTextMs = performance.now() - startedAt;
      }
      if (message.type === "result") return { firstTextMs, endMs: performance.now() - startedAt };
    }
  }

  close(): void {
    this.#end();
    this.#query.close();
  }

  async *#input(): AsyncGenerator<SDKUserMessage> {
    for (;;) {
      const next = await new Promise<SDKUserMessage | undefined>((resolve) => {
        this.#push = resolve;
        this.#end = () => resolve(undefined);
      });
      if (!next) return;
      yield next;
    }
  }
}

function messageOf(text: string): SDKUserMessage {
  const message = { role: "user" as const, content: [{ type: "text" as const, text }] };
  return { type: "user", message, parent_tool_use_id: null, uuid: randomUUID() };
}

type Session = Extract<Awaited<ReturnType<SessionHost["create"]>>, { ok: true }>["value"];

/** A session through Turnwire, read as a subscriber reads it: what counts is committed. */
export class TurnwireSession {
  readonly session: Session;

  private constructor(session: Session) {
    this.session = session;
  }

  static async create(host: SessionHost): Promise<TurnwireSession> {
    const created = await host.create({}, principal);
    if (!created.ok) throw new Error(created.error.message);
    return new TurnwireSession(created.value);
  }

  async turn(text: string): Promise<TurnTime> {
    const startedAt = performance.now();
    let firstTextMs = Number.NaN;
    const ended = new Promise<TurnTime>((resolve) => {
      const leave = this.session.log.subscribe({
        onEvents: (events) => {
          for (const { type } of events) {
            if (type === "delta" && Number.isNaN(firstTextMs)) {
              firstTextMs = performance.now() - startedAt;
            }
            if (type !== ("done" satisfies SessionEvent["type"])) continue;
            leave();
            resolve({ firstTextMs, endMs: performance.now() - startedAt });
          }
        },
        onEnd: () => undefined,
      });
    });
    const result = await this.session.execute({ type: "user_message", content: text }, principal);
    if (!result.ok) throw new Error(result.error.message);
    return ended;
  }
}
