import type { RequestProgress, SessionView } from "@turnwire/client";
import {
  createRequestList,
  requestFromBlock,
  type RequestBlock,
  type SessionRequest,
} from "@turnwire/client/binding";
import { type OpenRequest, requestId } from "@turnwire/protocol";
import { useCallback, useMemo } from "react";
import { useSession } from "./session-provider.tsx";
import { useSessionSelector } from "./session-selector.ts";

/** Everything that waits for a person now, oldest first. A request that did not change is the same object. */
export function useRequests(): readonly SessionRequest[] {
  const session = useSession();
  const open = useSessionSelector(openRequestsOf);
  const progress = useSessionSelector(progressOf);
  const list = useMemo(() => createRequestList((run) => run(session)), [session]);
  return useMemo(() => list(open, progress), [list, open, progress]);
}

/** The request that a block shows, with how far it has come: answered here, by someone else, or not at all. */
export function useRequest<Block extends RequestBlock>(
  block: Block,
): Extract<SessionRequest, { type: Block["type"] }>;
export function useRequest(block: RequestBlock): SessionRequest {
  const session = useSession();
  const id = requestId(block);
  const progress = useSessionSelector(useCallback((view) => view.requests[id], [id]));
  return useMemo(
    () => requestFromBlock(block, progress, (run) => run(session)),
    [session, block, progress],
  );
}

function openRequestsOf({ session }: SessionView): Readonly<Record<string, OpenRequest>> {
  return session.requests;
}

function progressOf({ requests }: SessionView): Readonly<Record<string, RequestProgress>> {
  return requests;
}
