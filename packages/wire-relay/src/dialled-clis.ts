import { detach } from "@turnwire/base";
import { type WireError, type Principal, canReach } from "@turnwire/protocol";
import type { OpenSession, WireContext } from "@turnwire/wire";
import { Channel } from "./channel.ts";
import { type ChannelRegistry, DialledCli, type DialledCliOptions } from "./dialled-cli.ts";
import { MAX_FOLLOWED } from "./limit.ts";
import { status } from "./status.ts";

/** One who watches the agents that dial in, as far as a principal reaches them. */
export interface CliListener {
  readonly principal: Principal;
  onStatus(line: string): void;
  onError(error: WireError): void;
  /** A conversation begins, and has no name yet. */
  onChannel(channel: Channel): void;
  onNamed(channel: Channel): void;
  onSession(sessionId: string): void;
}

/** The CLIs that are connected right now, their conversations, and the sessions that any of them has worked in. */
export class DialledClis implements ChannelRegistry {
  readonly #context: WireContext;
  readonly #clis = new Set<DialledCli>();
  readonly #channels = new Set<Channel>();
  readonly #listeners = new Set<CliListener>();
  /** By the id of the session, whose CLI it was; the newest last. */
  readonly #carried = new Map<string, Principal>();

  constructor(context: WireContext) {
    this.#context = context;
  }

  add(options: Omit<DialledCliOptions, "context" | "registry">): DialledCli {
    const { principal } = options;
    this.#publish(principal, (listener) => listener.onStatus(status.connected));
    const cli = new DialledCli({ ...options, context: this.#context, registry: this });
    this.#clis.add(cli);
    const ended = cli.adopted.ended.finally(() => {
      this.#clis.delete(cli);
      cli.leave();
      this.#publish(principal, (listener) => {
        if (!this.hasAny(listener.principal)) listener.onStatus(status.disconnected);
      });
    });
    detach(ended, this.#context.report);
    return cli;
  }

  openChannel(principal: Principal): Channel {
    const { framesOf, report: onError } = this.#context;
    const channel = new Channel({
      principal,
      framesOf,
      onOver: () => this.#channels.delete(channel),
      onError,
    });
    this.#channels.add(channel);
    this.#closeForgotten();
    this.#publish(principal, (listener) => listener.onChannel(channel));
    return channel;
  }

  onNamed(channel: Channel): void {
    this.#publish(channel.principal, (listener) => listener.onNamed(channel));
  }

  onCarried(sessionId: string, principal: Principal): void {
    this.#carried.delete(sessionId);
    this.#carried.set(sessionId, principal);
    this.#publish(principal, (listener) => listener.onSession(sessionId));
  }

  subscribe(listener: CliListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reports something that went wrong with a CLI of this principal. */
  report(principal: Principal, error: WireError): void {
    this.#publish(principal, (listener) => listener.onError(error));
  }

  hasAny(principal: Principal): boolean {
    return this.#reachedBy(principal).length > 0;
  }

  /** The conversations that front ends get from here instead of from a log. */
  channels(principal: Principal): Channel[] {
    return [...this.#channels].filter((channel) => channel.isReachedBy(principal));
  }

  ownChannel(id: string, principal: Principal): Channel | undefined {
    return [...this.#channels].find(
      (channel) => channel.isFor(id) && channel.principal.id === principal.id,
    );
  }

  /** The one of a conversation, by any of its ids. */
  channelOf(id: string, principal: Principal): Channel | undefined {
    return this.channels(principal).find((channel) => channel.isFor(id));
  }

  channelWith(session: OpenSession, principal: Principal): Channel | undefined {
    return this.channels(principal).find((channel) => channel.carries(session));
  }

  /** Whether a session's CLI was here, has left, and has not come back. */
  hasLost(session: OpenSession): boolean {
    const channel = [...this.#channels].find((each) => each.session?.id === session.id);
    return channel !== undefined && [...this.#clis].every((cli) => cli.channel !== channel);
  }

  /** Resolves when the conversations that are sessions by now are known as such here. */
  async joined(principal: Principal): Promise<void> {
    const adopted = this.#reachedBy(principal).filter((cli) => cli.adopted.sessionId !== undefined);
    const channels = adopted.flatMap(({ channel }) => channel ?? []);
    await Promise.all(channels.map((channel) => this.sessionOf(channel)));
  }

  /** The session that a conversation becomes; undefined where it becomes none while its CLI is here. */
  async sessionOf(channel: Channel): Promise<OpenSession | undefined> {
    const cli = [...this.#clis].find((each) => each.channel === channel);
    if (!channel.session && cli) await Promise.race([channel.joined, cli.adopted.ended]);
    return channel.session;
  }

  /** The sessions of the CLIs that are connected. */
  sessionIds(principal: Principal): string[] {
    return this.#reachedBy(principal).flatMap(({ adopted }) => adopted.sessionId ?? []);
  }

  /** The sessions that CLIs have worked in since the relay was opened, oldest first. */
  carriedIds(principal: Principal): string[] {
    return [...this.#carried].flatMap(([id, owner]) =>
      canReach(principal, { id, owner: owner.id }) ? id : [],
    );
  }

  hasCarried(sessionId: string): boolean {
    return this.#carried.has(sessionId);
  }

  /** The one that waits longest for its first message. */
  waiting(principal: Principal): DialledCli | undefined {
    return this.#reachedBy(principal).find(({ isWaiting }) => isWaiting);
  }

  /** The one that has asked something before it had named its conversation. */
  asking(requestId: string, principal: Principal): DialledCli | undefined {
    return this.#reachedBy(principal).find((cli) => cli.hasAsked(requestId));
  }

  /** Of conversations that never became sessions only so many are kept. */
  #closeForgotten(): void {
    const inUse = new Set([...this.#clis].map(({ channel }) => channel));
    const forgotten = [...this.#channels].filter(
      (channel) => channel.session === undefined && !inUse.has(channel),
    );
    for (const channel of forgotten.slice(0, -MAX_FOLLOWED)) channel.close("closed");
  }

  #reachedBy(principal: Principal): DialledCli[] {
    return [...this.#clis].filter((cli) => canReach(principal, { owner: cli.principal.id }));
  }

  #publish(owner: Principal, tell: (listener: CliListener) => void): void {
    for (const listener of this.#listeners) {
      if (canReach(listener.principal, { owner: owner.id })) tell(listener);
    }
  }
}
