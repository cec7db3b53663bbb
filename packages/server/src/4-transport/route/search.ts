import * as z from "zod";
import { limits, SessionSearch, validate, wireError } from "@turnwire/protocol";
import type { SessionHost } from "../../3-host/session-host.ts";
import { searchSessions } from "../../3-host/session-search.ts";
import { json, refused, type Route } from "@turnwire/wire";

const SearchQuery = z.object({
  q: z
    .string()
    .min(1)
    .max(500)
    .describe("Words that one message has to have, all of them; the last may be a beginning."),
  limit: z.coerce.number().int().min(1).max(limits.sessionPageMax).default(20),
});

/** Finds what was said. It stands before the routes of single sessions: `search` is not an id. */
export function searchRoute(host: SessionHost): Route {
  return {
    method: "GET",
    path: "/sessions/search",
    summary: "Find sessions by what people and agents said in them",
    access: "read",
    query: SearchQuery,
    answers: { 200: { description: "Sessions with what was found", schema: SessionSearch } },
    async handle(call) {
      const query = validate(SearchQuery, Object.fromEntries(call.query));
      if (!query.ok) return refused(query.error);
      const { q: text, limit } = query.value;
      const wish = { principal: call.principal, text, limit };
      const found = await searchSessions(wish, host.listSource);
      if (found) return json(200, found);
      return refused(wireError("capability_missing", "This server's store cannot search."));
    },
  };
}
