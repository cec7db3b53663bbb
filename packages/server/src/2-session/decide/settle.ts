import { errorText } from "@turnwire/base";
import { type Control, draft, type EventDraft, type LostTurnCode } from "@turnwire/protocol";
import { missingResult } from "./budget-due.ts";
import { forgottenGrants } from "./grant.ts";
import { resolveAll } from "./resolve.ts";

/** Why a turn is over although its agent did not say so. */
export interface LostCause {
  readonly code: LostTurnCode;
  readonly message: string;
  readonly exitCode?: number;
  /** Trying again can never help. */
  readonly isFinal?: boolean;
  /** A person wanted the turn to stop. */
  readonly isStopped?: boolean;
  /** The session was deleted: its readers get its end, and nothing has failed. */
  readonly isDeletion?: boolean;
}

/** Ends all that hangs on an agent that is gone: every request, what it alone remembered, and the turn, once each. */
export function settle(control: Control, cause: LostCause): EventDraft[] {
  const events = [...resolveAll(control, "orphaned"), ...forgottenGrants(control)];
  const { turn } = control;
  if (!turn) return events;
  const place = { turn_id: turn.turn_id };
  const { code, message } = cause;
  const error = draft("error", { code, message, retryable: cause.isFinal !== true }, place);
  return [
    ...events,
    ...(cause.isDeletion === true ? [] : [error]),
    ...missingResult(control, true),
    draft(
      "done",
      {
        turn_id: turn.turn_id,
        ...(cause.exitCode !== undefined && { exit_code: cause.exitCode }),
        ...(cause.isStopped === true && { stopped: true }),
      },
      place,
    ),
  ];
}

/** Something could not be done to the agent, and no caller waits for it. */
export function agentFailure(error: unknown): EventDraft {
  return draft("error", { code: "agent_failed", message: errorText(error), retryable: true });
}
