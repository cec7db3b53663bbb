import {
  requestOf,
  toolCallClaimMs,
  type Control,
  type OpenToolCall,
  type WireErrorCode,
} from "@turnwire/protocol";
import { clientErrorFrom, type ClientError } from "../5-connection/client-error.ts";
import { detach } from "../5-connection/detach.ts";
import type { AbortSignal } from "../5-connection/platform.ts";
import type { Session } from "../6-session/session.ts";

/** Two renewals may get lost before another client takes over. */
const RENEWAL_MS = toolCallClaimMs / 3;

/** A tool call that this client, and no other, performs. */
interface ToolCallHold {
  /** Aborted when the call is not to be performed any more: stopped, released or lost. */
  readonly signal: AbortSignal;
  /** The claim ran out and another client took the call over. */
  readonly isLost: boolean;
  /** Stops renewing the claim. */
  release(): void;
}

const claimsOf = new WeakMap<Session, ToolCallClaims>();

type Outcome = { readonly seq: number } | Refusal;

interface Refusal {
  /** When to try again. */
  readonly waitMs: number;
  /** Why, where the server said that trying at once would not help. */
  readonly code?: WireErrorCode;
}

/**
 * The tool calls of a session that this client performs. Promise: of all clients that hold a call
 * one has it at a time, and of those within this client too, while claims are renewed in time.
 */
export class ToolCallClaims {
  readonly #session: Session;
  readonly #claimId: string;
  /** The end of the newest hold of each call: within a client, holds wait for each other. */
  readonly #last = new Map<string, Promise<void>>();

  private constructor(session: Session) {
    this.#session = session;
    this.#claimId = session.platform.createId();
  }

  /** Those of a session: all that serve its tools share them. */
  static of(session: Session): ToolCallClaims {
    const claims = claimsOf.get(session) ?? new ToolCallClaims(session);
    claimsOf.set(session, claims);
    return claims;
  }

  /** Resolves when the call is this client's; undefined when it has ended before, or the signal aborts. */
  async hold(id: string, { signal }: { signal: AbortSignal }): Promise<ToolCallHold | undefined> {
    const before = this.#last.get(id);
    const { promise: left, resolve: leave } = createGate();
    const last = before ? before.then(() => left) : left;
    this.#last.set(id, last);
    const forget = () => {
      if (this.#last.get(id) === last) this.#last.delete(id);
    };
    detach(last.then(forget), this.#session.platform);
    await before;
    while (this.#isWanted(id, signal)) {
      const outcome = await this.#claim(id, signal);
      if ("seq" in outcome && this.#isWanted(id, signal)) {
        return this.#held(id, { signal, seq: outcome.seq, leave });
      }
      if ("waitMs" in outcome) await this.#untilFree(id, signal, outcome.waitMs);
    }
    leave();
    return undefined;
  }

  #isWanted(id: string, signal: AbortSignal): boolean {
    return !signal.aborted && this.#call(id) !== undefined;
  }

  #call(id: string): OpenToolCall | undefined {
    return openCall(this.#session.getState().session, id);
  }

  async #claim(id: string, signal: AbortSignal): Promise<Outcome> {
    try {
      const claim = { correlation_id: id, claim_id: this.#claimId };
      return await this.#session.execute({ type: "tool_call_claim", ...claim }, { signal });
    } catch (thrown) {
      return refusalFrom(clientErrorFrom(thrown));
    }
  }

  /** Resolves when no other client has claimed the call, or renewed its claim, for so long. */
  async #untilFree(id: string, signal: AbortSignal, waitMs: number): Promise<void> {
    let ms = waitMs;
    while (this.#isWanted(id, signal) && (await this.#changesWithin(ms, id, signal))) {
      const claim = this.#call(id)?.claim;
      if (claim?.claim_id === this.#claimId) return;
      ms = toolCallClaimMs;
    }
  }

  /** False when the time has passed before anything happened to the call. */
  #changesWithin(ms: number, id: string, signal: AbortSignal): Promise<boolean> {
    const session = this.#session;
    const { platform } = session;
    return new Promise((resolve) => {
      const settle = (isChanged: boolean): void => {
        stopTimer();
        stopSelecting();
        signal.removeEventListener("abort", onAbort);
        resolve(isChanged);
      };
      const onAbort = (): void => settle(true);
      const stopTimer = platform.startTimer(() => settle(false), ms);
      const stopSelecting = session.select(
        (view) => openCall(view.session, id),
        () => settle(true),
      );
      signal.addEventListener("abort", onAbort);
    });
  }

  #held(
    id: string,
    { signal, seq, leave }: { signal: AbortSignal; seq: number; leave: () => void },
  ): ToolCallHold {
    const session = this.#session;
    const { platform } = session;
    const abort = platform.createAbort();
    let isLost = false;
    let stopTimer = (): void => {};
    const release = (): void => {
      stopTimer();
      stopWatching();
      signal.removeEventListener("abort", release);
      abort.abort();
      leave();
    };
    const lose = (): void => {
      isLost = true;
      release();
    };
    const renew = async (): Promise<void> => {
      const outcome = await this.#claim(id, abort.signal);
      if (abort.signal.aborted) return;
      const code = "code" in outcome ? outcome.code : undefined;
      if (code === "already_claimed") lose();
      else if (code === undefined) startTimer();
    };
    const startTimer = (): void => {
      stopTimer = platform.startTimer(() => detach(renew(), platform), RENEWAL_MS);
    };
    const stopWatching = session.select(
      (view) => openCall(view.session, id)?.claim,
      (claim) => {
        // Until the view has come to our claim it may show earlier ones.
        const isNewer = session.getState().session.seq >= seq;
        if (claim && isNewer && claim.claim_id !== this.#claimId) lose();
      },
    );
    signal.addEventListener("abort", release);
    startTimer();
    return {
      signal: abort.signal,
      get isLost() {
        return isLost;
      },
      release,
    };
  }
}

function refusalFrom({ error }: ClientError): Refusal {
  const leftMs = error?.details?.["left_ms"];
  const waitMs = typeof leftMs === "number" ? leftMs : toolCallClaimMs;
  return error && !error.retryable ? { waitMs, code: error.code } : { waitMs };
}

function openCall(control: Control, id: string): OpenToolCall | undefined {
  const request = requestOf(control, id);
  return request?.type === "tool_call_request" ? request : undefined;
}

function createGate(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
