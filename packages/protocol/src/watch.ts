import * as z from "zod";
import { SessionInfo } from "./session.ts";

/** A page of sessions, newest update first; `next` goes into `after` for the page behind it. */
export const SessionList = z.object({
  sessions: z.array(SessionInfo),
  next: z.string().optional(),
});
export type SessionList = z.infer<typeof SessionList>;

/** What `GET /watch` reports: the newest page first, then what changes. */
export const WatchFrame = z.discriminatedUnion("type", [
  z.object({ type: z.literal("sessions"), ...SessionList.shape }),
  z.object({ type: z.literal("session_changed"), session: SessionInfo }),
  /** The session is gone, or does not belong to this list any more. */
  z.object({ type: z.literal("session_removed"), session_id: z.string() }),
]);
export type WatchFrame = z.infer<typeof WatchFrame>;
