import * as z from "zod";

/** What a run must know of a message to drive the agent. */
export type Progress =
  | { readonly type: "turn_started"; readonly threadId: string; readonly turnId: string }
  | { readonly type: "turn_ended"; readonly threadId: string }
  | { readonly type: "request_resolved"; readonly requestId: string | number }
  | { readonly type: "other" };

const TurnMessage = z.object({
  method: z.enum(["turn/started", "turn/completed"]),
  params: z.object({ threadId: z.string(), turn: z.object({ id: z.string() }) }),
});
const Resolved = z.object({
  method: z.literal("serverRequest/resolved"),
  params: z.object({ requestId: z.union([z.string(), z.number()]) }),
});

export function progressFrom(message: unknown): Progress {
  const turn = TurnMessage.safeParse(message);
  if (turn.success) {
    const { method, params } = turn.data;
    const { threadId } = params;
    return method === "turn/started"
      ? { type: "turn_started", threadId, turnId: params.turn.id }
      : { type: "turn_ended", threadId };
  }
  const resolved = Resolved.safeParse(message);
  return resolved.success
    ? { type: "request_resolved", requestId: resolved.data.params.requestId }
    : { type: "other" };
}
