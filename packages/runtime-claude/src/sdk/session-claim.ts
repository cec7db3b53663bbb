import { RuntimeError } from "@turnwire/runtime";

/** Who writes to which provider session: two processes on one would lose each other's turns. */
export class SessionClaims {
  readonly #taken = new Map<string, SessionClaim>();

  /** Rejects an id that another run holds. */
  take(sessionId: string | undefined): SessionClaim {
    const claim = new SessionClaim(this.#taken);
    if (sessionId === undefined) return claim;
    if (this.#taken.has(sessionId)) {
      throw new RuntimeError(
        "resume_failed",
        `Another session writes to the Claude session ${sessionId}. Close it first.`,
      );
    }
    claim.move(sessionId);
    return claim;
  }
}

/** One run's claim on the provider session that it writes to. */
export class SessionClaim {
  readonly #taken: Map<string, SessionClaim>;
  #sessionId: string | undefined;

  constructor(taken: Map<string, SessionClaim>) {
    this.#taken = taken;
  }

  /** The agent writes to this session from now on. */
  move(sessionId: string): void {
    if (sessionId === this.#sessionId) return;
    this.leave();
    this.#sessionId = sessionId;
    this.#taken.set(sessionId, this);
  }

  leave(): void {
    if (this.#sessionId === undefined) return;
    if (this.#taken.get(this.#sessionId) === this) this.#taken.delete(this.#sessionId);
    this.#sessionId = undefined;
  }
}
