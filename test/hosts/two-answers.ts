import type { SessionEvent } from "@turnwire/protocol";
import type { Door, Sender } from "./sender.ts";
import { sseStream } from "./sse-stream.ts";

/** The first event of this type in a session, as one host serves it. */
export async function firstEvent<Type extends SessionEvent["type"]>(
  { url }: Door,
  { token, sessionId }: { readonly token: string; readonly sessionId: string },
  type: Type,
): Promise<Extract<SessionEvent, { type: Type }>> {
  const enough = new AbortController();
  const request = { url, token, sessionId, after: 0, signal: enough.signal };
  type Wanted = Extract<SessionEvent, { type: Type }>;
  try {
    for await (const data of sseStream(request)) {
      const event = JSON.parse(data) as SessionEvent;
      if (event.type === type) return event as Wanted;
    }
  } finally {
    enough.abort();
  }
  throw new Error(`the stream ended before a ${type}`);
}

/** The status and the code of an answer to a permission request. */
export async function answerPermission(
  sender: Sender,
  door: Door,
  request: {
    readonly sessionId: string;
    readonly correlationId: string;
    readonly behavior: "allow" | "deny";
  },
) {
  const { sessionId, correlationId: correlation_id, behavior } = request;
  const body = { type: "permission_response", correlation_id, behavior };
  return sender.post(door, `/sessions/${sessionId}/commands`, body, 240_000);
}
