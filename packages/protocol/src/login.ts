import * as z from "zod";

const LoginName = z.string().trim().min(1).max(100);

/** A browser that is logged in. */
export const LoginInfo = z.object({
  login_id: z.string(),
  name: z.string(),
  created_at: z.iso.datetime(),
  last_seen_at: z.iso.datetime(),
  /** When it ends unless it is used before. */
  expires_at: z.iso.datetime(),
  /** Whether the request came from it. */
  is_current: z.boolean(),
});
export type LoginInfo = z.infer<typeof LoginInfo>;

export const LoginList = z.object({ logins: z.array(LoginInfo) });
export type LoginList = z.infer<typeof LoginList>;

/** What a login link may be made with: the name of the log-in. */
export const LoginLinkInput = z.object({ name: LoginName.optional() });
export type LoginLinkInput = z.infer<typeof LoginLinkInput>;

export const LoginChange = z.object({ name: LoginName });
export type LoginChange = z.infer<typeof LoginChange>;
