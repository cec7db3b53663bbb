import * as z from "zod";
import { Capabilities } from "../capabilities.ts";

/** live: has or may get an agent process; hibernated: gave it back, wakes on input; archived: read-only. */
export const SessionStatus = z.enum(["live", "hibernated", "archived"]);
export type SessionStatus = z.infer<typeof SessionStatus>;

export const sessionEventData = {
  session_ready: z.object({
    session_id: z.string(),
    protocol_version: z.string(),
    runtime: z.string(),
    provider_session_id: z.string().optional(),
    resumed: z.boolean().optional(),
    model: z.string().optional(),
    permission_mode: z.string().optional(),
    cwd: z.string().optional(),
    title: z.string().optional(),
    forked_from: z.object({ session_id: z.string(), seq: z.int() }).optional(),
    capabilities: Capabilities,
  }),
  session_updated: z.object({
    title: z.string().optional(),
    model: z.string().nullable().optional(),
    permission_mode: z.string().optional(),
    provider_session_id: z.string().optional(),
    status: SessionStatus.optional(),
    capabilities: Capabilities.optional(),
    by: z.string().optional(),
  }),
  session_closed: z.object({ reason: z.enum(["deleted"]), by: z.string().optional() }),
};
