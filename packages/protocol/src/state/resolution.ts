import { draft, type EventData, type EventDraft } from "../event/event.ts";
import type { Outcome } from "../event/request.ts";
import type { JsonValue } from "../json/json.ts";
import {
  requestId,
  type RequestKind,
  requestKindOf,
  requestKinds,
  type ResolutionType,
} from "./request-kind.ts";
import type { OpenRequest } from "./state.ts";

/** How a request ends: the outcome, who caused it, and what the event of its kind has of the answer. */
type Ending = { readonly outcome: Outcome } & Readonly<Record<string, JsonValue | undefined>>;

/** The event that ends a request of that kind. */
export function resolutionDraft(
  kind: RequestKind,
  { id, ...ending }: Ending & { readonly id: string },
  place: { turn_id?: string; subagent_id?: string },
): EventDraft {
  const { resolved, id: idField } = requestKinds[kind];
  const data = { [idField]: id, ...ending } as unknown as EventData<ResolutionType>;
  return draft(resolved, data, place) as EventDraft;
}

/** The event that ends an open request, in the turn and sub-agent that it came from. */
export function resolutionOf(request: OpenRequest, ending: Ending): EventDraft {
  const { turn_id, subagent_id } = request;
  const place = {
    ...(turn_id !== undefined && { turn_id }),
    ...(subagent_id !== undefined && { subagent_id }),
  };
  const asked = request.type === "permission_request" && {
    tool_name: request.data.tool_name,
    allowed: false,
  };
  const data = { id: requestId(request), ...asked, ...ending };
  return resolutionDraft(requestKindOf(request), data, place);
}
