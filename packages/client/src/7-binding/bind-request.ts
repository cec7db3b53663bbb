import {
  type EventData,
  type OpenRequest,
  type RequestBlock,
  requestId,
  type RequestKind,
  requestKindOf,
  type RequestType,
} from "@turnwire/protocol";
import type { RequestProgress, SessionView } from "../6-session/session-view.ts";
import type { ResponseTo } from "../6-session/session.ts";
import { ignoreRejection } from "./ignore-rejection.ts";
import type { SessionRequest } from "./session-request.ts";
import type { WithSession } from "./with-session.ts";

type ListRequests = (
  open: SessionView["session"]["requests"],
  progressById: SessionView["requests"],
) => readonly SessionRequest[];

const requested: RequestProgress = { status: "requested" };

/** Lists open requests, oldest first. One that did not change since an earlier list is the same object. */
export function createRequestList(withSession: WithSession): ListRequests {
  const known = new WeakMap<OpenRequest, SessionRequest>();
  return (open, progressById) =>
    Object.values(open).map((event) => {
      const progress = progressById[requestId(event)] ?? requested;
      const before = known.get(event);
      if (before?.progress === progress) return before;
      const request = bindRequest(
        { type: requestKindOf(event), request: event.data },
        progress,
        withSession,
      );
      known.set(event, request);
      return request;
    });
}

/** The request that a block shows; the view knows no progress of one that ended long ago. */
export function requestFromBlock(
  block: RequestBlock,
  progress: RequestProgress | undefined,
  withSession: WithSession,
): SessionRequest {
  return bindRequest(block, progress ?? progressFrom(block), withSession);
}

function progressFrom({ status }: RequestBlock): RequestProgress {
  switch (status) {
    case "open":
      return requested;
    case "expired":
      return { status, outcome: status };
    case "answered":
    case "cancelled":
    case "orphaned":
      return { status: "resolved", outcome: status };
  }
}

/** One cast for all kinds: a kind's response goes to `respond` with that kind. */
function bindRequest(
  asked: { readonly type: RequestKind; readonly request: EventData<RequestType> },
  progress: RequestProgress,
  withSession: WithSession,
): SessionRequest {
  const { type, request } = asked;
  const id = requestId(request);
  const respond = (response: ResponseTo<RequestKind>): void =>
    ignoreRejection(withSession((session) => session.respond(type, id, response)));
  return { type, id, request, progress, respond } as SessionRequest;
}
