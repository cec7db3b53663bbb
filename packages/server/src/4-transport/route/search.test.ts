import { SessionSearch } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import type { AuthOptions } from "../auth/auth.ts";
import { codeOf, startServer } from "../test-support/running-server.ts";

const auth: AuthOptions = {
  type: "authorize",
  authorize: ({ headers }) => ({ id: String(headers["x-user"]), isAdmin: false }),
};

describe("a search", () => {
  test("finds what was said in one's own sessions, with a snippet, and nothing of anybody else", async () => {
    const { request } = await startServer({ auth });
    const as = (user: string) => ({ headers: { "x-user": user } });
    const answer = await request("/sessions", { json: { runtime: "demo" }, ...as("ann") });
    const { session_id: id } = (await answer.json()) as { session_id: string };
    await request(`/sessions/${id}/message`, {
      json: { message: "Where are the largest files?" },
      ...as("ann"),
    });
    const search = async (user: string, q: string) => {
      const found = await request(`/sessions/search?q=${encodeURIComponent(q)}`, as(user));
      return SessionSearch.parse(await found.json());
    };
    const found = await search("ann", "LARGEST fil");
    expect(found).toMatchObject({
      is_complete: true,
      results: [{ session: { session_id: id }, role: "user" }],
    });
    const [first] = found.results;
    expect(first?.snippet.filter(({ is_match }) => is_match).map(({ text }) => text)).toEqual([
      "largest",
      "files",
    ]);
    expect((await search("bob", "largest")).results).toEqual([]);
    expect((await search("ann", "smallest")).results).toEqual([]);
  });

  test("refuses a query that is none", async () => {
    const { request } = await startServer();
    for (const query of ["", "?q=", `?q=${"x".repeat(501)}`, "?q=a&limit=0"]) {
      const answer = await request(`/sessions/search${query}`);
      expect([query.slice(0, 9), answer.status, await codeOf(answer)]).toEqual([
        query.slice(0, 9),
        400,
        "invalid_request",
      ]);
    }
  });
});
