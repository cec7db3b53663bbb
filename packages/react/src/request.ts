import type { RequestProgress, Session, SessionView } from "@turnwire/client";
import { requestId, type OpenRequest } from "@turnwire/protocol";
import { useCallback, useMemo } from "react";
import { useSession } from "./session-provider.tsx";
import {
  askedFromEvent,
  bindRequest,
  progressFromBlock,
  type RequestBlock,
  type SessionRequest,
} from "./session-request.ts";
import { useSessionSelector } from "./session-selector.ts";

/** Everything that waits for a person now, oldest first. A request that did not change is the same object. */
export function useRequests(): readonly SessionRequest[] {
  const session = useSession();
  const open = useSessionSelector(openRequestsOf);
  const progress = useSessionSelector(progressOf);
  return useMemo(
    () =>
      Object.values(open).map((event) =>
        boundOnce(session, event, progress[requestId(event)] ?? requested),
      ),
    [session, open, progress],
  );
}

/** The request that a block shows, with how far it has come: answered here, by someone else, or not at all. */
export function useRequest<Block extends RequestBlock>(
  block: Block,
): Extract<SessionRequest, { type: Block["type"] }>;
export function useRequest(block: RequestBlock): SessionRequest {
  const session = useSession();
  const id = block.type === "interrupt" ? block.interrupt_id : block.correlation_id;
  const known = useSessionSelector(useCallback((view) => view.requests[id], [id]));
  return useMemo(
    () => bindRequest(session, block, known ?? progressFromBlock(block)),
    [session, block, known],
  );
}

const requested: RequestProgress = { status: "requested" };

function openRequestsOf({ session }: SessionView): Readonly<Record<string, OpenRequest>> {
  return session.requests;
}

function progressOf({ requests }: SessionView): Readonly<Record<string, RequestProgress>> {
  return requests;
}

/** An open request is one object in one session's state, so it can carry its bound form. */
const bound = new WeakMap<
  OpenRequest,
  { readonly session: Session; readonly request: SessionRequest }
>();

function boundOnce(
  session: Session,
  event: OpenRequest,
  progress: RequestProgress,
): SessionRequest {
  const known = bound.get(event);
  if (known?.session === session && known.request.progress === progress) return known.request;
  const request = bindRequest(session, askedFromEvent(event), progress);
  bound.set(event, { session, request });
  return request;
}
