import type {
  Command,
  CommandOf,
  CommandType,
  CreateSession,
  DeletedSession,
  ResumeSession,
  JsonPatchOperation,
  JsonValue,
  SendMessage,
  SessionActivity,
  SessionEvent,
  SessionInfo,
  SessionList,
  SessionSearch,
  SessionStatus,
  WorktreeChoice,
  WorktreeRemoval,
} from "@turnwire/protocol";
import { defined } from "@turnwire/base";
import { ClientError, clientErrorFrom } from "../5-connection/client-error.ts";
import type { Snapshot } from "../5-connection/connection-state.ts";
import type { Http } from "../5-connection/http.ts";
import type { AbortSignal } from "../5-connection/platform.ts";
import { retrying } from "../5-connection/retrying.ts";

/** How long it may take to make or remove a worktree. */
const WORKTREE_MS = 25 * 60_000;

/** A command was taken; what it did is in the log at `seq`. */
export interface Accepted {
  readonly accepted: true;
  readonly seq: number;
  /** It is stored and waits for the host that has the session: the log will show what becomes of it. */
  readonly is_pending?: boolean;
}

export interface AcceptedMessage extends Accepted {
  readonly message_id: string;
  /** The server had it already: the same id was sent before. */
  readonly duplicate?: boolean;
}

export interface EventPage {
  readonly events: readonly SessionEvent[];
  readonly epoch: string;
  readonly head: number;
  /** Goes into `after` for the next page. */
  readonly next?: number;
}

export interface SharedState {
  readonly seq: number;
  readonly version: number;
  readonly state: JsonValue;
}

export interface SessionQuery {
  readonly limit?: number;
  /** The `next` of the page before. */
  readonly after?: string;
  readonly status?: SessionStatus;
  readonly activity?: SessionActivity;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface DeleteOptions extends CallOptions {
  /** The choice for the session's worktree: by default it is removed as far as no work is lost. */
  readonly worktree?: WorktreeChoice;
}

export interface SearchOptions extends CallOptions {
  /** At most so many sessions. */
  readonly limit?: number;
}

/** Every command that leaves its mark in this session's log; `fork` makes another session instead. */
export type OwnCommand = Exclude<Command, { type: "fork" }>;

type WithoutType<Type extends CommandType> = Omit<CommandOf<Type>, "type">;

type SessionChange = Partial<Pick<SessionInfo, "title" | "model" | "permission_mode">>;

/** The calls of PROTOCOL.md §3 to §6 that are about sessions, one method per route. */
export class SessionApi {
  readonly #http: Http;
  readonly #sendAttempts: number;

  constructor(http: Http, options: { readonly sendAttempts: number }) {
    this.#http = http;
    this.#sendAttempts = options.sendAttempts;
  }

  create(session: CreateSession = {}, options?: CallOptions): Promise<SessionInfo> {
    return this.#http.json({
      method: "POST",
      path: ["sessions"],
      body: session,
      // A worktree may have a setup command.
      ...(session.worktree !== undefined && { timeoutMs: WORKTREE_MS }),
      ...options,
    });
  }

  list(query: SessionQuery = {}, options?: CallOptions): Promise<SessionList> {
    return this.#http.json({ method: "GET", path: ["sessions"], query: { ...query }, ...options });
  }

  /** Finds sessions by what people and agents said in them: all words in one message. */
  search(text: string, options: SearchOptions = {}): Promise<SessionSearch> {
    const { limit, ...call } = options;
    const query = { q: text, limit };
    return this.#http.json({ method: "GET", path: ["sessions", "search"], query, ...call });
  }

  get(sessionId: string, options?: CallOptions): Promise<SessionInfo> {
    return this.#http.json({ method: "GET", path: ["sessions", sessionId], ...options });
  }

  update(sessionId: string, change: SessionChange, options?: CallOptions): Promise<SessionInfo> {
    const path = ["sessions", sessionId];
    return this.#http.json({ method: "PATCH", path, body: change, ...options });
  }

  /** Answers with what was done with the session's worktree, where it had one. */
  async delete(
    sessionId: string,
    { worktree, ...call }: DeleteOptions = {},
  ): Promise<WorktreeRemoval | undefined> {
    const answer = await this.#http.text({
      method: "DELETE",
      path: ["sessions", sessionId],
      query: { worktree },
      timeoutMs: WORKTREE_MS,
      ...call,
    });
    return answer === "" ? undefined : (JSON.parse(answer) as DeletedSession).worktree;
  }

  /** Harmless to repeat under its `client_message_id`, which is made where there is none, so it is tried again. */
  message(sessionId: string, body: SendMessage, options?: CallOptions): Promise<AcceptedMessage> {
    return this.#send([sessionId, "message"], body, options);
  }

  /** Joins the running turn; tried again like a message. */
  steer(sessionId: string, body: SendMessage, options?: CallOptions): Promise<AcceptedMessage> {
    return this.#send([sessionId, "steer"], body, options);
  }

  /**
   * A tool's answer and claim are tried again like a message: no person is there to do it, and only
   * one is ever taken. So is a patch that has an id.
   */
  command(sessionId: string, command: OwnCommand, options?: CallOptions): Promise<Accepted> {
    const run = (): Promise<Accepted> => this.#post([sessionId, "commands"], command, options);
    const isRepeatable =
      command.type === "tool_call_claim" ||
      (command.type === "state_patch" && command.client_patch_id !== undefined);
    if (isRepeatable) return this.#retrying(run, options);
    if (command.type !== "tool_call_response") return run();
    return this.#retrying(tellingLostTries(run), options);
  }

  /** Stops the running turn; harmless when none runs. */
  async stop(sessionId: string, options?: CallOptions): Promise<void> {
    await this.#post([sessionId, "stop"], {}, options);
  }

  /** Wakes a session, with another model, effort or other instructions where they are given. */
  resume(
    sessionId: string,
    { signal, ...wish }: ResumeSession & CallOptions = {},
  ): Promise<SessionInfo> {
    return this.#post([sessionId, "resume"], wish, defined({ signal }));
  }

  /** Answers with the copy. */
  fork(
    sessionId: string,
    fork: WithoutType<"fork"> = {},
    options?: CallOptions,
  ): Promise<SessionInfo> {
    return this.#post([sessionId, "fork"], fork, options);
  }

  async rollback(
    sessionId: string,
    rollback: WithoutType<"rollback">,
    options?: CallOptions,
  ): Promise<void> {
    await this.#post([sessionId, "rollback"], rollback, options);
  }

  async compact(
    sessionId: string,
    compact: WithoutType<"compact"> = {},
    options?: CallOptions,
  ): Promise<void> {
    await this.#post([sessionId, "compact"], compact, options);
  }

  archive(sessionId: string, options?: CallOptions): Promise<SessionInfo> {
    return this.#post([sessionId, "archive"], {}, options);
  }

  unarchive(sessionId: string, options?: CallOptions): Promise<SessionInfo> {
    return this.#post([sessionId, "unarchive"], {}, options);
  }

  sharedState(sessionId: string, options?: CallOptions): Promise<SharedState> {
    return this.#http.json({ method: "GET", path: ["sessions", sessionId, "state"], ...options });
  }

  /** The bare operations, or with the version that they are for and an id under which they may be repeated. */
  patchSharedState(
    sessionId: string,
    patch: readonly JsonPatchOperation[] | WithoutType<"state_patch">,
    options?: CallOptions,
  ): Promise<Accepted> {
    const path = ["sessions", sessionId, "state"];
    return this.#http.json({ method: "PATCH", path, body: patch, ...options });
  }

  async answerInterrupt(
    sessionId: string,
    { interrupt_id, value }: WithoutType<"interrupt_response">,
    options?: CallOptions,
  ): Promise<void> {
    await this.#post([sessionId, "interrupt", interrupt_id], { value }, options);
  }

  /** A component speaks to the agent. */
  async componentCallback(
    sessionId: string,
    callback: WithoutType<"component_callback">,
    options?: CallOptions,
  ): Promise<void> {
    await this.#post([sessionId, "components"], callback, options);
  }

  /** Shows a component beside those of the agent, changes it or moves it. */
  showComponent(
    sessionId: string,
    { component_id, ...component }: WithoutType<"show_component">,
    options?: CallOptions,
  ): Promise<Accepted> {
    const path = ["sessions", sessionId, "components", component_id];
    return this.#http.json({ method: "PUT", path, body: component, ...options });
  }

  /** Harmless when the component is gone. */
  removeComponent(
    sessionId: string,
    componentId: string,
    options?: CallOptions,
  ): Promise<Accepted> {
    const path = ["sessions", sessionId, "components", componentId];
    return this.#http.json({ method: "DELETE", path, ...options });
  }

  /** Shows a component and waits for its answer, which is the `interrupt_resolved` of this id. */
  ask(
    sessionId: string,
    { interrupt_id, ...ask }: WithoutType<"ask">,
    options?: CallOptions,
  ): Promise<Accepted> {
    const path = ["sessions", sessionId, "interrupt", interrupt_id];
    return this.#http.json({ method: "PUT", path, body: ask, ...options });
  }

  snapshot(sessionId: string, options?: CallOptions): Promise<Snapshot> {
    const path = ["sessions", sessionId, "snapshot"];
    return this.#http.json({ method: "GET", path, ...options });
  }

  /** The bytes of a payload that an event or a block names; its `media_type` says what they are. */
  attachment(sessionId: string, digest: string, options?: CallOptions): Promise<Uint8Array> {
    const path = ["sessions", sessionId, "attachments", digest];
    return this.#http.bytes({ method: "GET", path, ...options });
  }

  /** One page of the log, without following it. */
  eventPage(
    sessionId: string,
    query: { readonly after?: number; readonly limit?: number } = {},
    options?: CallOptions,
  ): Promise<EventPage> {
    const path = ["sessions", sessionId, "events"];
    return this.#http.json({ method: "GET", path, query: { ...query }, ...options });
  }

  #send(route: string[], body: SendMessage, options?: CallOptions): Promise<AcceptedMessage> {
    const id = body.client_message_id ?? this.#http.platform.createId();
    const identified = { ...body, client_message_id: id };
    return this.#retrying(() => this.#post(route, identified, options), options);
  }

  #retrying<Result>(call: () => Promise<Result>, options?: CallOptions): Promise<Result> {
    const attempts = this.#sendAttempts;
    return retrying(this.#http.platform, { attempts, signal: options?.signal }, call);
  }

  #post<Result>(route: string[], body: object, options?: CallOptions): Promise<Result> {
    return this.#http.json({ method: "POST", path: ["sessions", ...route], body, ...options });
  }
}

/** An answer that is refused as late, after a try that may have arrived, names that try as its cause. */
function tellingLostTries<Result>(answer: () => Promise<Result>): () => Promise<Result> {
  let lost: ClientError | undefined;
  return async () => {
    try {
      return await answer();
    } catch (thrown) {
      const failure = clientErrorFrom(thrown);
      const { code, message, error, status } = failure;
      if (lost && error?.code === "already_resolved") {
        const facts = { error, ...(status !== undefined && { status }) };
        throw new ClientError(code, message, { cause: lost, ...facts });
      }
      lost = failure;
      throw failure;
    }
  };
}
