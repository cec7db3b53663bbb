import * as z from "zod";
import { SessionInfo } from "./session.ts";

/** A session in which something was said that has all the words that were looked for. */
export const SessionMatch = z
  .object({
    session: SessionInfo,
    seq: z.int().describe("The event of the newest message that has them."),
    role: z.enum(["user", "assistant"]).describe("Who said it."),
    snippet: z
      .array(
        z.object({
          text: z.string().describe("A piece of the message."),
          is_match: z.boolean().describe("Whether it is one of the words."),
        }),
      )
      .describe("The words and what is around them: the pieces in their order."),
  })
  .meta({ id: "SessionMatch" });
export type SessionMatch = z.infer<typeof SessionMatch>;

/** The answer of `GET /sessions/search`. */
export const SessionSearch = z.object({
  results: z.array(SessionMatch).describe("Newest message first, one for each session."),
  is_complete: z
    .boolean()
    .describe("False while sessions of an earlier version are still being made searchable."),
});
export type SessionSearch = z.infer<typeof SessionSearch>;
