import type {
  Accepted,
  OwnCommand,
  SendOptions,
  Session,
  SessionView,
  SharedSession,
  Snapshot,
  TurnwireClient,
} from "@turnwire/client";
import {
  createRequestList,
  ignoreRejection,
  emptyView,
  requestFromBlock,
  sendingMessages,
  SharedState,
  type SharedStateChange,
  type RequestBlock,
  type SessionRequest,
} from "@turnwire/client/binding";
import {
  type CommandOf,
  type JsonPatchOperation,
  type JsonValue,
  type MessageContent,
  requestId,
} from "@turnwire/protocol";
import { Followed } from "./followed.ts";

/** The action of a person in a component. */
export type ComponentCallback = Pick<
  CommandOf<"component_callback">,
  "component_id" | "action" | "payload"
>;

export interface LiveSessionOptions {
  /** Where the state starts: a page that a server rendered with it continues from there. */
  readonly snapshot?: Snapshot;
}

/**
 * A session as reactive state. It is followed while a template or an effect reads it; whatever
 * reads one property is run again only when that property has become another value.
 */
export class LiveSession {
  readonly #client: TurnwireClient;
  readonly #id: () => string;
  readonly #options: LiveSessionOptions;
  readonly #requestsOf = createRequestList((run) => this.#withSession(run));

  readonly #followed = $derived.by(() => this.#follow(this.#id()));
  readonly #view = $derived(this.#followed.view);

  /** The fold over the session's log. */
  readonly state = $derived(this.#view.session);
  /** The facts of the session apart from its conversation: title, model, capabilities … */
  readonly facts = $derived(this.state.session);
  /** A message that did not change is the same object as before. */
  readonly messages = $derived(this.state.messages);
  /** The current activity of the session, for a status line. */
  readonly activity = $derived(this.state.activity);
  /** The turn that runs; null between turns. */
  readonly turn = $derived(this.state.turn);
  readonly isRunning = $derived(this.turn !== null);
  /** This client asked the running turn to stop, and it has not ended yet. */
  readonly isCancelling = $derived(this.#view.isCancelling);
  /** Messages that wait for their turn. */
  readonly queue = $derived(this.state.queue);
  readonly #shared = $derived.by(() => this.#followShared(this.#id()));
  /** The document that agent and UI both write, with this client's changes on their way; at first an empty object. */
  readonly sharedState: JsonValue = $derived(this.#shared.view);
  readonly surfaces = $derived(this.state.surfaces);
  /** The components that the agent knows of. */
  readonly catalog = $derived(this.state.catalog);
  readonly tasks = $derived(this.state.tasks);
  readonly usage = $derived(this.state.usage);
  /** The status of the connection to the server. */
  readonly connection = $derived(this.#view.connection);
  readonly #progress = $derived(this.#view.requests);
  readonly #open = $derived(this.state.requests);
  /** The requests that wait for a person, oldest first, each with its answer bound to it. */
  readonly requests: readonly SessionRequest[] = $derived(
    this.#requestsOf(this.#open, this.#progress),
  );
  readonly #outbox = $derived(this.#view.sending);
  /** This client's messages on their way, oldest first: pending or failed. */
  readonly sending = $derived(sendingMessages(this.#outbox, (run) => this.#withSession(run)));

  constructor(client: TurnwireClient, id: () => string, options: LiveSessionOptions = {}) {
    this.#client = client;
    this.#id = id;
    this.#options = options;
  }

  get id(): string {
    return this.#id();
  }

  /** The request that a block shows, open or ended. */
  request(block: RequestBlock): SessionRequest {
    const progress = this.#progress[requestId(block)];
    return requestFromBlock(block, progress, (run) => this.#withSession(run));
  }

  /** Shows the message at once; its progress is in `sending`. */
  send(content: MessageContent, options?: SendOptions): void {
    ignoreRejection(this.#withSession((session) => session.send(content, options)));
  }

  /** Sends a message into the running turn. */
  steer(content: MessageContent, options?: SendOptions): void {
    ignoreRejection(this.#withSession((session) => session.steer(content, options)));
  }

  /** Asks the running turn to stop; harmless when none runs. */
  interrupt(): Promise<void> {
    return this.#withSession((session) => session.interrupt());
  }

  /**
   * Changes the shared state: shown at once, taken back where it is refused. Where another writer was
   * faster, a function is called again with what is there now.
   */
  patchSharedState(
    ...change: JsonPatchOperation[] | [(shared: JsonValue) => readonly JsonPatchOperation[]]
  ): Promise<Accepted> {
    return this.#withSession((session) => SharedState.of(session).patch(changeFrom(change)));
  }

  /** Notifies the agent of what a person did in a component. */
  reportCallback(callback: ComponentCallback): Promise<Accepted> {
    return this.#withSession((session) =>
      session.execute({
        type: "component_callback",
        ...callback,
        client_callback_id: session.platform.createId(),
      }),
    );
  }

  /** Any command; rejects where it is refused. */
  execute(command: OwnCommand): Promise<Accepted> {
    return this.#withSession((session) => session.execute(command));
  }

  /** Reconnects at once, also after a final failure. */
  reconnect(): void {
    this.#followed.store?.reconnect();
  }

  /** Holds the session itself, which everybody on the client shares, until it is released. */
  share(): SharedSession {
    return this.#share(this.#id());
  }

  /** A command on the shared session shows wherever the session is read. */
  async #withSession<Result>(run: (session: Session) => Promise<Result>): Promise<Result> {
    const shared = this.share();
    try {
      return await run(shared.session);
    } finally {
      shared.release();
    }
  }

  #follow(id: string): Followed<SessionView, Session> {
    return new Followed({
      empty: emptyView(this.#snapshotOf(id)),
      hold: () => {
        const shared = this.#share(id);
        return { store: shared.session, release: () => shared.release() };
      },
    });
  }

  #followShared(id: string): Followed<JsonValue, SharedState> {
    return new Followed<JsonValue, SharedState>({
      empty: this.#snapshotOf(id)?.state.shared ?? {},
      hold: () => {
        const shared = this.#share(id);
        return { store: SharedState.of(shared.session), release: () => shared.release() };
      },
    });
  }

  #share(id: string): SharedSession {
    const start = this.#snapshotOf(id);
    return this.#client.shareSession(id, start && { start });
  }

  #snapshotOf(id: string): Snapshot | undefined {
    const { snapshot } = this.#options;
    return snapshot?.state.session.session_id === id ? snapshot : undefined;
  }
}

function changeFrom(
  change: JsonPatchOperation[] | [(shared: JsonValue) => readonly JsonPatchOperation[]],
): SharedStateChange {
  const [first] = change;
  return typeof first === "function" ? first : (change as JsonPatchOperation[]);
}
