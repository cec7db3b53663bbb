import {
  type AcceptedMessage,
  ClientError,
  type Session,
  type SessionView,
} from "@turnwire/client";
import { watchForLoss } from "./connection-loss.ts";
import { messageFate, type MessageFate } from "./turn-answer.ts";

/** How long a turn that was asked to stop may take to end. */
const STOPPING_MS = 15_000;
/** A timer cannot wait longer. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

export interface TurnLimits {
  /** Aborted when the turn is to be stopped. */
  readonly signal: AbortSignal;
  /** How long the turn may take with all its waiting; the session's budget counts only work. */
  readonly timeoutMs: number | undefined;
}

/** How the wait for a turn ended: by itself, or because it was given up. */
export interface TurnEnding {
  readonly fate: MessageFate;
  readonly givenUp?: "stopped" | "timeout";
}

/** Waits for the turn that answers a message; a turn that takes too long or is not wanted any more is stopped. */
export async function turnEnding(
  session: Session,
  accepted: AcceptedMessage,
  { signal, timeoutMs }: TurnLimits,
): Promise<TurnEnding> {
  const wait = timeoutMs === undefined ? {} : { timeoutMs: Math.min(timeoutMs, LONGEST_WAIT_MS) };
  try {
    return { fate: await fateOf(session, accepted, { signal, ...wait }) };
  } catch (error) {
    const givenUp = signal.aborted ? "stopped" : isTimeout(error) ? "timeout" : undefined;
    if (!givenUp) throw error;
    return { fate: await stopTurn(session, accepted), givenUp };
  }
}

async function fateOf(
  session: Session,
  accepted: AcceptedMessage,
  options: { readonly signal?: AbortSignal; readonly timeoutMs?: number },
): Promise<MessageFate> {
  const { lost, release } = watchForLoss(session);
  const isOver = ({ session: state }: SessionView): boolean =>
    messageFate(state, accepted).type !== "pending";
  try {
    const view = await Promise.race([session.waitFor(isOver, options), lost]);
    return messageFate(view.session, accepted);
  } finally {
    release();
  }
}

/** Takes the message back, or stops the turn that it has begun. */
async function stopTurn(session: Session, accepted: AcceptedMessage): Promise<MessageFate> {
  try {
    const fate = messageFate(session.getState().session, accepted);
    if (fate.type === "pending" && fate.isQueued) await withdraw(session, accepted.message_id);
    else if (fate.type === "pending") await session.interrupt();
    return await fateOf(session, accepted, { timeoutMs: STOPPING_MS });
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    // It ends when the server or its budget ends it: there is nothing more to be done from here.
    return messageFate(session.getState().session, accepted);
  }
}

/** Its turn may begin in the same moment. */
async function withdraw(session: Session, messageId: string): Promise<void> {
  try {
    await session.withdraw(messageId);
  } catch (error) {
    if (!(error instanceof ClientError) || error.error?.code !== "turn_running") throw error;
    await session.interrupt();
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof ClientError && error.code === "timeout";
}
