import {
  type CatalogEntry,
  type Command,
  type Control,
  type EventDraft,
  rejected,
  type WireError,
} from "@turnwire/protocol";
import { decideCancellation, decideMessage } from "./message.ts";
import { decideAnswer } from "./answer.ts";
import { decideAsk } from "./ask.ts";
import { decideBudget, decideBudgetAnswer } from "./budget.ts";
import { decideCallback } from "./callback.ts";
import { decideCatalog } from "./catalog.ts";
import { decideClaim } from "./claim.ts";
import { decideRemove, decideShow } from "./component.ts";
import { decideRevocation } from "./grant.ts";
import { decideSetting } from "./setting.ts";
import { decideSharedState } from "./shared-state.ts";
import { resolveAll } from "./resolve.ts";
import type { RequestAnswer, Runtime, PolicyDecision, UiPort } from "@turnwire/runtime";
import type { Effect } from "./effect.ts";
import type { Policy } from "@turnwire/policy";
import { archived } from "./session-refusal.ts";

/** Facts a decision needs that are not in the log. */
export interface DecisionContext {
  /** The principal that sent the command. */
  readonly by: string;
  readonly isAdmin: boolean;
  /** A fresh id, should the command become a message. */
  readonly messageId: string;
  readonly maxQueue: number;
  /** Milliseconds since the epoch, for claims that run out. */
  readonly now: number;
  /** Why the runtime could do nothing with an answer; undefined when it can. */
  readonly answerProblem?: ((answer: RequestAnswer) => string | undefined) | undefined;
  /** The catalog that the host offers every session. */
  readonly offeredCatalog?: readonly CatalogEntry[];
  /** How long a request of a program may stay open. */
  readonly requestTimeoutMs: number;
  /** What the session shows and can show. */
  readonly ui?: Pick<UiPort, "component"> | undefined;
  /** The problem of a component that is to be shown. */
  readonly propsProblem?: string | undefined;
  /** The name of a component that is there; undefined: there is none by that id. */
  readonly componentName?: ((componentId: string) => string | undefined) | undefined;
  /** What of an answer's `updated_permissions` the agent remembers. */
  readonly grantsFrom?: Runtime["grantsFrom"];
  /** The policy in force where the session works. */
  readonly policy: Policy;
  /** What the session's policy says about what an answer allows; undefined where it has none. */
  readonly judged?: PolicyDecision | undefined;
}

/** Events for the log and effects for the agent, or why not. */
export type Decision =
  | {
      readonly ok: true;
      readonly events: readonly EventDraft[];
      readonly effects: readonly Effect[];
    }
  | { readonly ok: false; readonly error: WireError };

/** The commands that `decide` answers; the rest need the whole log and are procedures of the session. */
export type DecidedCommand = Exclude<Command, { type: "fork" | "rollback" | "compact" }>;

/** What a command does to a session in this state. Pure: the same state and command, the same decision. */
export function decide(
  control: Control,
  command: DecidedCommand,
  context: DecisionContext,
): Decision {
  const refusal = refuseByStatus(control, command);
  if (refusal) return refusal;
  switch (command.type) {
    case "user_message":
    case "steer":
      return decideMessage(control, command, context);
    case "cancel_message":
      return decideCancellation(control, command, context);
    case "interrupt":
      return decideInterrupt(control);
    case "budget_response":
      return decideBudgetAnswer(control, command, context);
    case "set_budget":
      return decideBudget(control, command, context);
    case "tool_call_claim":
      return decideClaim(control, command, context);
    case "component_callback":
      return decideCallback(control, command, context);
    case "add_to_catalog":
      return decideCatalog(control, command, context);
    case "revoke_permission":
      return decideRevocation(control, command, context);
    case "show_component":
      return decideShow(control, command, context);
    case "remove_component":
      return decideRemove(control, command, context);
    case "ask":
      return decideAsk(control, command, context);
    case "state_patch":
      return decideSharedState(control, command, context);
    case "set_model":
    case "set_effort":
    case "set_permission_mode":
    case "set_policy_mode":
    case "stop_task":
    case "read_context":
    case "reconnect_mcp_server":
    case "rename":
    case "archive":
    case "unarchive":
      return decideSetting(control, command, context);
    default:
      return decideAnswer(control, command, context);
  }
}

/** An archived session is read-only until it is taken out of the archive. */
export function refuseByStatus(
  control: Control,
  command: Command,
): ReturnType<typeof rejected> | undefined {
  if (control.session.is_closed) {
    return rejected("session_not_found", "The session has been deleted.");
  }
  const isAllowedInArchive =
    command.type === "archive" ||
    command.type === "unarchive" ||
    command.type === "fork" ||
    command.type === "rename";
  if (control.session.status !== "archived" || isAllowedInArchive) return undefined;
  return archived();
}

/** Harmless when nothing runs: two tabs may press stop at once. */
function decideInterrupt(control: Control): Decision {
  if (!control.turn) return { ok: true, events: [], effects: [] };
  if (!control.session.capabilities.interrupt) {
    return rejected("capability_missing", "This runtime cannot stop a running turn.", {
      capability: "interrupt",
    });
  }
  return { ok: true, events: resolveAll(control, "cancelled"), effects: [{ type: "interrupt" }] };
}
