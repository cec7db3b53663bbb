import * as z from "zod";
import { TokenScope } from "../part/token-scope.ts";
import { SessionId } from "./session.ts";

/** The body of a request for a scoped token. */
export const CreateToken = z
  .object({
    scope: TokenScope,
    session_id: SessionId.optional().describe(
      "The only session that it is for; not with `admin`. By default all.",
    ),
    expires_in_ms: z
      .int()
      .positive()
      .max(10 * 366 * 86_400_000)
      .optional()
      .describe("After how many milliseconds it ends; by default when it is revoked."),
  })
  .refine(({ scope, session_id }) => scope !== "admin" || session_id === undefined, {
    message: "goes with the scopes read and operate, not with admin",
    path: ["session_id"],
  });
export type CreateToken = z.infer<typeof CreateToken>;

/** A scoped token, without its secret. */
export const TokenInfo = z.object({
  token_id: z.string().describe("The token's id."),
  scope: TokenScope,
  session_id: z.string().optional().describe("The only session that it is for; absent: all."),
  created_at: z.iso.datetime().describe("When it was made."),
  last_seen_at: z.iso.datetime().describe("When it was last used; first, when it was made."),
  expires_at: z.iso.datetime().optional().describe("When it ends; absent: when it is revoked."),
});
export type TokenInfo = z.infer<typeof TokenInfo>;

export const TokenList = z.object({ tokens: z.array(TokenInfo) });
export type TokenList = z.infer<typeof TokenList>;

/** A new scoped token, with the only copy of its secret. */
export const CreatedToken = TokenInfo.extend({
  token: z.string().describe("What to send as bearer token; it is never shown again."),
});
export type CreatedToken = z.infer<typeof CreatedToken>;
