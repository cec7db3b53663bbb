import type { JsonValue } from "@turnwire/protocol";
import { untrack } from "svelte";
import { useSession } from "./context.ts";
import { detach } from "./detach.ts";
import type { ToolCallRequest } from "./session-request.ts";
import type { SessionState } from "./session-state.svelte.ts";

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

/**
 * Performs a tool of the agent in this page, while the component lives. Every page that has the
 * tool is called and the first answer wins; the others hear of it by their call's signal.
 */
export function useFrontendTool(name: string, tool: FrontendTool): void {
  const session = useSession();
  const calls = new Map<string, AbortController>();
  $effect(() => {
    const open = new Map(callsOf(session, name).map((request) => [request.id, request]));
    for (const [id, call] of calls) {
      if (open.has(id)) continue;
      call.abort();
      calls.delete(id);
    }
    for (const [id, request] of open) {
      if (calls.has(id)) continue;
      const call = new AbortController();
      calls.set(id, call);
      untrack(() => detach(answer(session, request, { tool, signal: call.signal })));
    }
  });
  $effect(() => () => {
    for (const call of calls.values()) call.abort();
  });
}

function callsOf(session: SessionState, name: string): ToolCallRequest[] {
  return session.requests.flatMap((request) =>
    request.type === "tool_call" && request.request.tool_name === name ? [request] : [],
  );
}

async function answer(
  session: SessionState,
  { id, request, respond }: ToolCallRequest,
  { tool, signal }: { readonly tool: FrontendTool; readonly signal: AbortSignal },
): Promise<void> {
  const response = await responseOf(() => tool(request.input, { correlation_id: id, signal }));
  const newest = session.requests.find((other) => other.id === id);
  if (signal.aborted || newest?.progress.status === "responding") return;
  respond(response);
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
