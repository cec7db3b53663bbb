import type { Logger } from "@turnwire/base";
import type { SessionEvent } from "@turnwire/protocol";

/** Events of a session that have reached the store. */
export interface Commit {
  readonly sessionId: string;
  readonly events: readonly SessionEvent[];
  /** How long the store took. */
  readonly ms: number;
}

export interface HostMetrics {
  readonly sessionsLoaded: number;
  readonly liveRuns: number;
  /** Sessions that were taken which another host had left. */
  readonly takeovers: number;
  readonly eventsAppended: number;
  readonly commits: number;
  /** Sessions of other hosts that are followed here. */
  readonly sessionsFollowed: number;
  /** Times that a look without a hint found events of a followed session. */
  readonly pollCatches: number;
}

/** Counts what is committed and reports it. */
export class Commits {
  readonly #logger: Logger;
  #eventsAppended = 0;
  #commits = 0;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  get counts(): Pick<HostMetrics, "eventsAppended" | "commits"> {
    return { eventsAppended: this.#eventsAppended, commits: this.#commits };
  }

  take(commit: Commit): void {
    this.#eventsAppended += commit.events.length;
    this.#commits += 1;
    logCommit(this.#logger, commit);
  }
}

/** A commit that takes longer is worth a look at the disk. */
const SLOW_COMMIT_MS = 1_000;

/** Reports what happened in a session to whoever runs the server: its life, never its words. */
export function logCommit(logger: Logger, { sessionId, events, ms }: Commit): void {
  if (ms >= SLOW_COMMIT_MS) {
    logger.warn({ session: sessionId, events: events.length, ms }, "slow commit");
  }
  for (const event of events) logEvent(logger, sessionId, event);
}

function logEvent(logger: Logger, session: string, event: SessionEvent): void {
  switch (event.type) {
    case "session_ready": {
      const { runtime, cwd, forked_from } = event.data;
      const source = forked_from === undefined ? {} : { forked_from: forked_from.session_id };
      return logger.info({ session, runtime, cwd, ...source }, "session created");
    }
    case "session_updated": {
      const { status } = event.data;
      if (status !== undefined) logger.info({ session, status }, "session status");
      return;
    }
    case "error": {
      const { code } = event.data;
      return logger.warn({ session, code, turn: event.turn_id }, "error in a session");
    }
    case "turn_started":
      return logger.debug({ session, turn: event.turn_id }, "turn started");
    case "done":
      return logger.debug({ session, turn: event.turn_id }, "turn ended");
    default:
  }
}
