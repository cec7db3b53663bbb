import { isDeepStrictEqual } from "node:util";
import {
  type CommandOf,
  type Control,
  draft,
  type EventDraftOf,
  grantsOf,
  type JsonObject,
  type OpenRequest,
  rejected,
} from "@turnwire/protocol";
import type { RequestAnswer } from "@turnwire/runtime";
import type { Decision, DecisionContext } from "./decide.ts";
import { placeOf } from "./resolve.ts";

/** What an answer lets the agent do without asking from now on; what it may do already is not news. */
export function grantsFromAnswer(
  control: Control,
  { request, answer }: { request: OpenRequest; answer: RequestAnswer },
  context: DecisionContext,
): EventDraftOf<"permission_granted">[] {
  if (request.type !== "permission_request" || answer.type !== "permission_response") return [];
  const { behavior, updated_permissions: updates = [] } = answer;
  if (behavior === "deny" || updates.length === 0) return [];
  const { correlation_id, tool_name } = request.data;
  const known = grantsOf(control).map(({ permission }) => permission);
  const permissions = context.grantsFrom?.(request.data, updates) ?? [];
  return permissions
    .filter((permission) => !known.some((other) => isDeepStrictEqual(other, permission)))
    .map((permission, index) =>
      draft(
        "permission_granted",
        { grant_id: `${correlation_id}.${index}`, tool_name, permission, by: context.by },
        placeOf(request),
      ),
    );
}

/** What the agent may do without asking after these grants, for the agent itself. */
export function permissionsAfter(
  control: Control,
  granted: readonly EventDraftOf<"permission_granted">[],
): readonly JsonObject[] {
  return [...grantsOf(control), ...granted.map(({ data }) => data)].map(
    ({ permission }) => permission,
  );
}

/** Takes back one grant. */
export function decideRevocation(
  control: Control,
  { grant_id }: CommandOf<"revoke_permission">,
  { by }: DecisionContext,
): Decision {
  if (!control.session.capabilities.revoke_permissions) {
    return rejected(
      "capability_missing",
      "This runtime cannot take back what was allowed: it holds until the agent stops.",
      { capability: "revoke_permissions" },
    );
  }
  const grants = grantsOf(control);
  const rest = grants.filter((grant) => grant.grant_id !== grant_id);
  // Two windows may revoke the same one.
  if (rest.length === grants.length) return { ok: true, events: [], effects: [] };
  return {
    ok: true,
    events: [draft("permission_revoked", { grant_ids: [grant_id], by })],
    effects: [{ type: "set_grants", permissions: rest.map(({ permission }) => permission) }],
  };
}

/** What ends with an agent that alone remembered it. */
export function forgottenGrants(control: Control): EventDraftOf<"permission_revoked">[] {
  const grants = grantsOf(control);
  if (grants.length === 0 || control.session.capabilities.revoke_permissions) return [];
  return [draft("permission_revoked", { grant_ids: grants.map(({ grant_id }) => grant_id) })];
}
