import { defined } from "@turnwire/base";
import type { OwnCommand, Session, TurnwireClient } from "@turnwire/client";
import { type CreateSession, firstLine, type SessionInfo } from "@turnwire/protocol";
import { CliError } from "../error/cli-error.ts";
import { createSession, everySession, type NewSession } from "../session/session-selection.ts";
import type { StepType } from "./next-move.ts";
import { isLoop, type Reviewer, type RunPlan } from "./plan.ts";

const TITLE_LENGTH = 80;
/** How long it may take to follow a session. */
const OPENING_MS = 120_000;

/** A session that exists already, and what is to be different in it. */
export interface ContinuedSession {
  readonly session: SessionInfo;
  readonly changes: readonly OwnCommand[];
}

/** The agents of a run before any session of theirs is made. */
export interface RunAgents {
  readonly newSession: NewSession;
  readonly continued: ContinuedSession | undefined;
  /** The reviewer, with the policy mode that holds it and whether its commands can be put into a sandbox. */
  readonly reviewer: (Reviewer & { readonly hasSandbox: boolean }) | undefined;
}

/** Makes and keeps the sessions of a run: each step gets the one that it belongs in. */
export class AgentSessions {
  readonly #client: TurnwireClient;
  readonly #plan: RunPlan;
  readonly #agents: RunAgents;
  #worker: { readonly info: SessionInfo; readonly session: Session } | undefined;

  constructor(client: TurnwireClient, plan: RunPlan, agents: RunAgents) {
    this.#client = client;
    this.#plan = plan;
    this.#agents = agents;
  }

  /** The session in which a step happens, followed. */
  async open(type: StepType, iteration: number): Promise<Session> {
    if (type === "review") return this.#follow(await this.#createReview(iteration));
    if (this.#worker && !this.#plan.isFresh) return this.#worker.session;
    const info = await this.#workInfo(iteration);
    const session = await this.#follow(info);
    this.#worker = { info, session };
    return session;
  }

  /** Stops following a session that no further step needs. */
  release(session: Session): void {
    if (session !== this.#worker?.session || this.#plan.isFresh) session.close();
  }

  close(): void {
    this.#worker?.session.close();
  }

  async #workInfo(iteration: number): Promise<SessionInfo> {
    const { continued, newSession } = this.#agents;
    if (continued) {
      const { session_id } = continued.session;
      for (const command of continued.changes) {
        await this.#client.sessions.command(session_id, command);
      }
      return continued.session;
    }
    const { wish, here } = newSession;
    const title = { title: this.#title("work", iteration) };
    if (!this.#worker)
      return createSession(this.#client, { wish: { ...wish, ...defined(title) }, here });
    // Where the first one works, which may be a worktree that was made for it.
    const { worktree: _made, ...rest } = wish;
    const { cwd } = this.#worker.info;
    return this.#client.sessions.create({ ...rest, ...defined({ cwd, ...title }) });
  }

  #createReview(iteration: number): Promise<SessionInfo> {
    const { reviewer, newSession } = this.#agents;
    if (!reviewer) throw new Error("A run without a reviewer has no reviews.");
    const { runtime, model, policyMode: policy_mode, hasSandbox } = reviewer;
    const sandbox = hasSandbox ? newSession.wish.sandbox : undefined;
    const wish: CreateSession = {
      runtime,
      ...defined({ model, policy_mode, sandbox }),
      ...defined({ cwd: this.#worker?.info.cwd, title: this.#title("review", iteration) }),
    };
    return this.#client.sessions.create(wish);
  }

  /** One turn needs no title of ours: the session gets one as any other does. */
  #title(type: StepType, iteration: number): string | undefined {
    const { wish } = this.#agents.newSession;
    if (!isLoop(this.#plan)) return wish.title;
    const title = wish.title ?? firstLine(this.#plan.task, TITLE_LENGTH);
    if (type === "review") return `Review ${iteration}: ${title}`;
    return iteration === 1 ? title : `${title} (${iteration})`;
  }

  async #follow({ session_id }: SessionInfo): Promise<Session> {
    const session = this.#client.openSession(session_id);
    try {
      await session.waitFor(({ connection }) => connection.status === "live", {
        timeoutMs: OPENING_MS,
      });
      return session;
    } catch (error) {
      session.close();
      throw error;
    }
  }
}

/** The session that was last used in a directory, of a runtime if one is named. */
export async function lastSession(
  client: TurnwireClient,
  { cwd, runtime }: { readonly cwd: string; readonly runtime: string | undefined },
): Promise<SessionInfo> {
  for await (const session of everySession(client)) {
    const isRightRuntime = runtime === undefined || session.runtime === runtime;
    if (session.cwd === cwd && session.status !== "archived" && isRightRuntime) return session;
  }
  const kind = runtime === undefined ? "session" : `session of ${runtime}`;
  throw new CliError("server_refused", `There is no ${kind} in ${cwd} to continue.`);
}
