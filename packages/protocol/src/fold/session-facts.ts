import type { EventData } from "../event/event.ts";
import type { SessionFacts } from "../state/state.ts";
import { withAllowed } from "./budget.ts";

/** The facts of the session in its first event. */
export function readyFacts(session: SessionFacts, data: EventData<"session_ready">): SessionFacts {
  return {
    ...withAllowed(session, data.budget),
    session_id: data.session_id,
    runtime: data.runtime,
    status: "live",
    capabilities: data.capabilities,
    ...definedFacts(data),
  };
}

/** The changed facts of the session; an absent field has not changed. */
export function updatedFacts(
  session: SessionFacts,
  data: EventData<"session_updated">,
): SessionFacts {
  const {
    model: earlierModel,
    effort: earlierEffort,
    policy_mode: earlierPolicyMode,
    ...rest
  } = withAllowed(session, data.budget);
  const model = data.model === undefined ? earlierModel : data.model;
  const effort = data.effort === undefined ? earlierEffort : data.effort;
  const policyMode = data.policy_mode === undefined ? earlierPolicyMode : data.policy_mode;
  return {
    ...rest,
    ...(typeof model === "string" && { model }),
    ...(typeof effort === "string" && { effort }),
    ...(typeof policyMode === "string" && { policy_mode: policyMode }),
    ...definedFacts({ ...data, model: undefined, effort: undefined, policy_mode: undefined }),
    status: data.status ?? session.status,
    capabilities: data.capabilities ?? session.capabilities,
  };
}

type OptionalFact =
  | "title"
  | "model"
  | "effort"
  | "permission_mode"
  | "policy_mode"
  | "cwd"
  | "worktree"
  | "provider_session_id"
  | "account"
  | "sandbox"
  | "configuration";

function definedFacts(data: {
  [Name in OptionalFact]?: SessionFacts[Name] | undefined;
}): Partial<SessionFacts> {
  return {
    ...(data.title !== undefined && { title: data.title }),
    ...(data.model !== undefined && { model: data.model }),
    ...(data.effort !== undefined && { effort: data.effort }),
    ...(data.permission_mode !== undefined && { permission_mode: data.permission_mode }),
    ...(data.policy_mode !== undefined && { policy_mode: data.policy_mode }),
    ...(data.cwd !== undefined && { cwd: data.cwd }),
    ...(data.worktree !== undefined && { worktree: data.worktree }),
    ...(data.provider_session_id !== undefined && {
      provider_session_id: data.provider_session_id,
    }),
    ...(data.account !== undefined && { account: data.account }),
    ...(data.sandbox !== undefined && { sandbox: data.sandbox }),
    ...(data.configuration !== undefined && { configuration: data.configuration }),
  };
}
