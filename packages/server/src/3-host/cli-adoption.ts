import { type Clock, defined, detach, startTimer } from "@turnwire/base";
import {
  accepted,
  draft,
  type EventDraft,
  rejected,
  type Result,
  type Principal,
  canReach,
} from "@turnwire/protocol";
import { type Store, StoreError } from "@turnwire/log";
import { randomUUID } from "node:crypto";
import {
  type AdoptedCli,
  type CliLink,
  type DialInHost,
  type DialledConversation,
  finalCloseCode,
  type FirstPrompt,
  type Runtime,
  RuntimeError,
} from "@turnwire/runtime";
import { allSessions } from "@turnwire/workspace";
import type { RemoteSessions } from "./remote/remote-sessions.ts";
import type { Session } from "../2-session/session.ts";
import type { SessionHost } from "./session-host.ts";

/** The code that has a CLI dial in again. */
const returnCode = 1001;
/** The code for a CLI that may not be here; it does not dial in again. */
const refusedCode = 4003;

/** How long another host has to let go of a session after it said that it would. */
const RELEASE_MS = 2_000;
/** A third host may take a session that is free, so it may have to be asked for again. */
const MAX_ASKS = 5;
/** How long a host leaves a session that it handed over to the one that asked for it. */
const HANDED_OVER_MS = 3_000;

interface AdoptionParts {
  readonly host: SessionHost;
  readonly store: Store;
  readonly clock: Clock;
  /** Leads to the hosts that hold other sessions. */
  readonly remote: Pick<RemoteSessions, "askFor">;
  readonly runtimes: ReadonlyMap<string, Runtime>;
}

/** CLIs that dialled in as the agents of sessions. */
export class CliAdoption {
  readonly #parts: AdoptionParts;
  readonly #links = new Set<CliLink>();
  /** The sessions that stay loaded because a CLI works in them, by its id of them. */
  readonly #held = new Map<string, { readonly session: Session; readonly release: () => void }>();
  /** Sessions that were handed over a moment ago, by what ends that. */
  readonly #handedOver = new Map<string, () => void>();
  #isClosing = false;

  constructor(parts: AdoptionParts) {
    this.#parts = parts;
  }

  /** Makes a CLI that dialled in the agent of its session, which `principal` owns where it is a new one. */
  adopt(link: CliLink, principal: Principal): AdoptedCli {
    const runtime = [...this.#parts.runtimes.values()].find(({ dialIn }) => dialIn);
    if (!runtime?.dialIn || this.#isClosing) return refused(link, this.#isClosing);
    this.#links.add(link);
    const host: DialInHost = {
      owner: principal.id,
      mayTake: (owner) => canReach(principal, { owner }),
      adopt: (conversation) => this.#enter(conversation, principal, runtime.name),
      onLeft: (id, open) => detach(this.#leave(id, open), (error) => this.#report(error)),
      onError: (error) => {
        this.#report(error);
        const code = isForLater(error) ? returnCode : refusedCode;
        detach(link.close(code), (cause) => this.#report(cause));
      },
    };
    const connection = runtime.dialIn.connect(link, host);
    const ended = connection.ended.then(() => void this.#links.delete(link));
    detach(ended, (error) => this.#report(error));
    return connection;
  }

  /** A CLI that has lost its connection may have dialled in to another host, which asks for its session. */
  checkHandOver(sessionId: string): Result<void> {
    const held = [...this.#held].find(([, { session }]) => session.id === sessionId);
    const runtimes = [...this.#parts.runtimes.values()];
    const cli = held && runtimes.flatMap(({ dialIn }) => dialIn?.find(held[0]) ?? [])[0];
    if (cli?.isConnected) {
      return rejected("overloaded", "The CLI of this session is connected to another host.");
    }
    this.#forgetHandOver(sessionId);
    const forget = (): void => this.#forgetHandOver(sessionId);
    this.#handedOver.set(sessionId, startTimer(this.#parts.clock, HANDED_OVER_MS, forget));
    return accepted(undefined);
  }

  /** Whether the session is free for another host: whoever reads it here must not take it back. */
  hasHandedOver(sessionId: string): boolean {
    return this.#handedOver.has(sessionId);
  }

  #forgetHandOver(sessionId: string): void {
    this.#handedOver.get(sessionId)?.();
    this.#handedOver.delete(sessionId);
  }

  /** The CLIs dial in again, at whoever comes after us. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const sessionId of this.#handedOver.keys()) this.#forgetHandOver(sessionId);
    await Promise.all([...this.#links].map((link) => link.close(returnCode)));
  }

  async #enter(
    conversation: DialledConversation,
    principal: Principal,
    runtime: string,
  ): Promise<string> {
    const { providerSessionId } = conversation;
    const found = await this.#find(providerSessionId, principal, runtime);
    const opened = found ?? (await this.#create(conversation, principal, runtime));
    if (!opened.ok) throw new RuntimeError("not_available", opened.error.message);
    const session = opened.value;
    this.#held.get(providerSessionId)?.release();
    this.#held.set(providerSessionId, { session, release: session.attach() });
    const woken = await session.wake();
    if (!woken.ok) throw new RuntimeError("not_available", woken.error.message);
    return session.id;
  }

  async #find(
    providerSessionId: string,
    principal: Principal,
    runtime: string,
  ): Promise<Result<Session> | undefined> {
    const { store } = this.#parts;
    for (const record of await allSessions(store)) {
      const isIt = record.runtime === runtime && record.providerSessionId === providerSessionId;
      if (!isIt || record.options.params?.["is_dialled_in"] !== true) continue;
      const { sessionId: id, owner } = record;
      if (canReach(principal, { id, owner })) return this.#take(id, principal);
      return rejected("forbidden", "This conversation is a session of somebody else.");
    }
    return undefined;
  }

  /** Opens the session, which another host may have: then it is asked for it. */
  async #take(sessionId: string, principal: Principal): Promise<Result<Session>> {
    const { host, store, remote } = this.#parts;
    this.#forgetHandOver(sessionId);
    const opened = await host.open(sessionId, principal);
    if (opened.ok || !store.isShared) return opened;
    for (let ask = 0; ask < MAX_ASKS; ask += 1) {
      const release = this.#watchRelease(sessionId);
      const asked = await remote.askFor(sessionId);
      // It answers before it lets go.
      if (asked?.ok) await release.done;
      release.stop();
      if (asked?.ok === false) throw new HeldElsewhereError(asked.error.message);
      const taken = await host.open(sessionId, principal);
      if (taken.ok) return taken;
    }
    throw new HeldElsewhereError("Another host holds the session of this CLI.");
  }

  #watchRelease(sessionId: string): { readonly done: Promise<void>; readonly stop: () => void } {
    const { store, clock } = this.#parts;
    const isReleased = new AbortController();
    const unwatch = store.watch((hint) => {
      if (hint.type === "released" && hint.sessionId === sessionId) isReleased.abort();
    });
    const done = clock.wait(RELEASE_MS, isReleased.signal);
    const stop = (): void => {
      unwatch();
      isReleased.abort();
    };
    return { done, stop };
  }

  async #create(
    { providerSessionId, cwd, prompt }: DialledConversation,
    principal: Principal,
    runtime: string,
  ): Promise<Result<Session>> {
    const options = { runtime, ...defined({ cwd: await cwd }), params: { is_dialled_in: true } };
    const said = prompt();
    return this.#parts.host.create(options, principal, {
      isDialledIn: true,
      past: async () => ({
        origin: { provider_session_id: providerSessionId },
        history: [this.#linesKept(runtime), ...(said ? [beginningOf(said, principal)] : [])],
      }),
    });
  }

  /** Before anything else: readers know by it that the lines themselves will come. */
  #linesKept(runtime: string): EventDraft[] {
    const capabilities = this.#parts.runtimes.get(runtime)?.capabilities;
    if (!capabilities) return [];
    return [draft("session_updated", { capabilities: { ...capabilities, native_lines: true } })];
  }

  /** A CLI whose session continues dials in again; one whose session is no more has nothing left to do. */
  async #leave(providerSessionId: string, link: CliLink | undefined): Promise<void> {
    const held = this.#held.get(providerSessionId);
    this.#held.delete(providerSessionId);
    held?.release();
    if (!link) return;
    await held?.session.ended?.catch(() => undefined);
    const record = held && (await this.#parts.store.getSession(held.session.id));
    const isOver = !record || record.status === "archived";
    await link.close(isOver && !this.#isClosing ? finalCloseCode : returnCode);
  }

  #report(error: unknown): void {
    this.#parts.host.report(error);
  }
}

/** Another host holds the session of a CLI: it may dial in again later. */
class HeldElsewhereError extends RuntimeError {
  constructor(message: string) {
    super("not_available", message);
  }
}

function isForLater(error: unknown): boolean {
  return (
    error instanceof HeldElsewhereError ||
    (error instanceof StoreError && error.code === "unavailable")
  );
}

function refused(link: CliLink, isClosing: boolean): AdoptedCli {
  return {
    sessionId: undefined,
    onSession: () => () => undefined,
    send: () => Promise.resolve(false),
    ended: link.close(isClosing ? returnCode : refusedCode),
  };
}

/** What a front end said before there was a session, as if it had been said to the session. */
function beginningOf({ line, turnId, content }: FirstPrompt, { id }: Principal): EventDraft[] {
  const messageId = randomUUID();
  const place = { turn_id: turnId };
  return [
    draft("user_message", {
      message_id: messageId,
      content: [...content],
      delivery: "queue",
      by: id,
    }),
    draft("turn_started", { turn_id: turnId, message_id: messageId }, place),
    draft("native_line", { line, direction: "to_agent" }, place),
  ];
}
