import * as z from "zod";
import { SessionInfo } from "./session.ts";

/** A page of sessions, newest update first; `next` goes into `after` for the page behind it. */
export const SessionList = z.object({
  sessions: z.array(SessionInfo).describe("The sessions, newest update first."),
  next: z
    .string()
    .optional()
    .describe("Pass it as `after` for the next page; absent on the last page."),
});
export type SessionList = z.infer<typeof SessionList>;

/** The frames of `GET /watch`: the newest page first, then changes. */
export const WatchFrame = z.discriminatedUnion("type", [
  z
    .object({ type: z.literal("sessions"), ...SessionList.shape })
    .describe("The newest page of the list. Always the first frame."),
  z
    .object({
      type: z.literal("session_changed"),
      session: SessionInfo.describe("The session as it is now."),
    })
    .describe("A session is new or has changed."),
  z
    .object({
      type: z.literal("session_removed"),
      session_id: z.string().describe("The session."),
    })
    .describe("A session was deleted or no longer matches the filter."),
  z
    .object({ type: z.literal("projects_changed") })
    .describe("Projects have changed: `GET /projects` has what is true now."),
]);
export type WatchFrame = z.infer<typeof WatchFrame>;
