import * as z from "zod";
import type { ThreadMessage } from "../protocol/thread-router.ts";

/** What a run must know of a message to drive the agent. */
export type Progress =
  | { readonly type: "turn_started"; readonly threadId: string; readonly turnId: string }
  | { readonly type: "turn_ended"; readonly threadId: string }
  | { readonly type: "request_resolved"; readonly requestId: string | number }
  | { readonly type: "other" };

const Turn = z.object({ threadId: z.string(), turn: z.object({ id: z.string() }) });
const Resolved = z.object({ requestId: z.union([z.string(), z.number()]) });

/** Looks at the method first: most messages are deltas. */
export function progressFrom({ method, params }: ThreadMessage): Progress {
  switch (method) {
    case "turn/started":
    case "turn/completed": {
      const { data } = Turn.safeParse(params);
      if (!data) return { type: "other" };
      const { threadId, turn } = data;
      return method === "turn/started"
        ? { type: "turn_started", threadId, turnId: turn.id }
        : { type: "turn_ended", threadId };
    }
    case "serverRequest/resolved": {
      const { data } = Resolved.safeParse(params);
      return data ? { type: "request_resolved", requestId: data.requestId } : { type: "other" };
    }
    default:
      return { type: "other" };
  }
}
