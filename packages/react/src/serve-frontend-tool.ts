import type { Session, SessionView } from "@turnwire/client";
import type { JsonValue } from "@turnwire/protocol";
import { detach } from "./detach.ts";

export interface FrontendToolCall {
  readonly correlation_id: string;
  /** Aborted when no answer is wanted any more: another page gave one, or the turn has ended. */
  readonly signal: AbortSignal;
}

/** Does what the agent asks of the page; what it throws, the agent gets as the tool's error. */
export type FrontendTool = (
  input: JsonValue,
  call: FrontendToolCall,
) => JsonValue | undefined | Promise<JsonValue | undefined>;

type OpenRequests = SessionView["session"]["requests"];

/** Performs each call of one tool once, until the function it gives back is called. */
export function serveFrontendTool(session: Session, name: string, tool: FrontendTool): () => void {
  const calls = new Map<string, AbortController>();
  const update = (open: OpenRequests): void => {
    for (const [id, call] of calls) {
      if (id in open) continue;
      call.abort();
      calls.delete(id);
    }
    for (const { correlation_id, input } of callsOf(name, open)) {
      if (calls.has(correlation_id)) continue;
      const call = new AbortController();
      calls.set(correlation_id, call);
      const { signal } = call;
      detach(
        answer(session, () => tool(input, { correlation_id, signal }), { correlation_id, signal }),
      );
    }
  };
  const stop = session.select((view) => view.session.requests, update);
  update(session.getState().session.requests);
  return () => {
    stop();
    for (const call of calls.values()) call.abort();
  };
}

function callsOf(name: string, open: OpenRequests) {
  return Object.values(open).flatMap((request) =>
    request.type === "tool_call_request" && request.data.tool_name === name ? [request.data] : [],
  );
}

async function answer(
  session: Session,
  perform: () => ReturnType<FrontendTool>,
  { correlation_id, signal }: FrontendToolCall,
): Promise<void> {
  // Strict mode mounts, unmounts and mounts again in one go: only the last one gets to work.
  await Promise.resolve();
  if (signal.aborted) return;
  const response = await responseOf(perform);
  const status = session.getState().requests[correlation_id]?.status;
  if (signal.aborted || status === "responding") return;
  await session.respondToToolCall(correlation_id, response);
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
