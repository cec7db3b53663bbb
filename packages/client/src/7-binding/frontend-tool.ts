import type { JsonValue, SessionEventOf } from "@turnwire/protocol";
import type { AbortSignal } from "../5-connection/platform.ts";
import type { SessionView } from "../6-session/session-view.ts";
import type { Session } from "../6-session/session.ts";
import { ignoreRejection } from "./ignore-rejection.ts";
import { ToolCallClaims } from "./tool-call-claim.ts";

export interface FrontendToolCall {
  readonly correlation_id: string;
  /** Aborted when no answer is wanted any more: the turn has ended, or another page answered or took over. */
  readonly signal: AbortSignal;
}

/** Does what the agent asks of the page; what it throws, the agent gets as the tool's error. */
export type FrontendTool = (
  input: JsonValue,
  call: FrontendToolCall,
) => JsonValue | undefined | Promise<JsonValue | undefined>;

type OpenRequests = SessionView["session"]["requests"];

/**
 * Performs the calls of one tool until the function it gives back is called. A call is performed in
 * one place: of all pages that serve the tool, the one that claims it; when that page is gone, the
 * next one does after its claim has run out.
 */
export function serveFrontendTool(session: Session, name: string, tool: FrontendTool): () => void {
  const { createAbort } = session.platform;
  const aborts = new Map<string, () => void>();
  const update = (open: OpenRequests): void => {
    for (const [id, abort] of aborts) {
      if (id in open) continue;
      abort();
      aborts.delete(id);
    }
    for (const request of callsOf(name, open)) {
      const { correlation_id } = request.data;
      if (aborts.has(correlation_id)) continue;
      const abort = createAbort();
      aborts.set(correlation_id, () => abort.abort());
      ignoreRejection(serveCall(session, request, { tool, signal: abort.signal }));
    }
  };
  const stop = session.select((view) => view.session.requests, update);
  update(session.getState().session.requests);
  return () => {
    stop();
    for (const abort of aborts.values()) abort();
  };
}

type ToolCall = SessionEventOf<"tool_call_request">;

async function serveCall(
  session: Session,
  request: ToolCall,
  { tool, signal }: { readonly tool: FrontendTool; readonly signal: AbortSignal },
): Promise<void> {
  const { correlation_id } = request.data;
  // React's strict mode starts, stops and starts again in one go: only the last one gets to work.
  await Promise.resolve();
  for (;;) {
    const hold = await ToolCallClaims.of(session).hold(correlation_id, { signal });
    if (!hold) return;
    const call = { correlation_id, signal: hold.signal };
    const perform = () => performed(session, request, (input) => tool(input, call));
    await answer(session, call, perform).finally(() => hold.release());
    if (!hold.isLost) return;
  }
}

/** The page gets the input as the agent gave it, not its preview. */
function performed(
  session: Session,
  { data, attachments }: ToolCall,
  tool: (input: JsonValue) => ReturnType<FrontendTool>,
): ReturnType<FrontendTool> {
  if (!attachments) return tool(data.input);
  return session.restore({ ...data, attachments }).then(({ input }) => tool(input));
}

function callsOf(name: string, open: OpenRequests): ToolCall[] {
  return Object.values(open).flatMap((request) =>
    request.type === "tool_call_request" && request.data.tool_name === name ? [request] : [],
  );
}

async function answer(
  session: Session,
  { correlation_id, signal }: FrontendToolCall,
  perform: () => ReturnType<FrontendTool>,
): Promise<void> {
  const response = await responseOf(perform);
  const status = session.getState().requests[correlation_id]?.status;
  if (signal.aborted || status === "responding") return;
  await session.execute({ type: "tool_call_response", correlation_id, ...response }, { signal });
}

async function responseOf(
  perform: () => ReturnType<FrontendTool>,
): Promise<{ output: JsonValue; is_error?: boolean }> {
  try {
    return { output: (await perform()) ?? null };
  } catch (thrown) {
    return { output: thrown instanceof Error ? thrown.message : String(thrown), is_error: true };
  }
}
