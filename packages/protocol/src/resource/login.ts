import * as z from "zod";

const LoginName = z.string().trim().min(1).max(100).describe("The name of the log-in.");

/** A browser that is logged in. */
export const LoginInfo = z.object({
  login_id: z.string().describe("The log-in's id."),
  name: z.string().describe("Its name; by default the browser's."),
  created_at: z.iso.datetime().describe("When it was made."),
  last_seen_at: z.iso.datetime().describe("When it was last used."),
  expires_at: z.iso.datetime().describe("When it ends unless it is used before."),
  is_current: z.boolean().describe("Whether the request came from it."),
});
export type LoginInfo = z.infer<typeof LoginInfo>;

export const LoginList = z.object({ logins: z.array(LoginInfo) });
export type LoginList = z.infer<typeof LoginList>;

/** The body of a request for a login link: the name of the log-in. */
export const LoginLinkInput = z.object({ name: LoginName.optional() });
export type LoginLinkInput = z.infer<typeof LoginLinkInput>;

export const LoginChange = z.object({ name: LoginName });
export type LoginChange = z.infer<typeof LoginChange>;
