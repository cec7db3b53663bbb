import { CreatedToken, CreateToken, TokenList, validate, wireError } from "@turnwire/protocol";
import {
  type Call,
  empty,
  type HttpResponse,
  json,
  openSession,
  refused,
  type Route,
} from "@turnwire/wire";
import type { SessionHost } from "../../3-host/session-host.ts";
import type { Authenticator } from "../auth/auth.ts";
import type { ScopedTokens } from "../auth/scoped-tokens.ts";

/** Tokens that permit less than the server's own, or end: made, listed and ended by admins. */
export function tokenRoutes(host: SessionHost, { tokens }: Authenticator): Route[] {
  return [
    {
      method: "POST",
      path: "/tokens",
      summary: "Make a scoped token, which is in this answer and never shown again",
      access: "admin",
      body: CreateToken,
      answers: { 201: { description: "The token", schema: CreatedToken } },
      handle: (call) => withTokens(tokens, (known) => create(host, known, call)),
    },
    {
      method: "GET",
      path: "/tokens",
      summary: "List the scoped tokens, without their secrets",
      access: "admin",
      answers: { 200: { description: "Newest first", schema: TokenList } },
      handle: () => withTokens(tokens, async (known) => json(200, { tokens: await known.list() })),
    },
    {
      method: "DELETE",
      path: "/tokens/{token_id}",
      summary: "End a scoped token",
      access: "admin",
      answers: { 204: { description: "It is ended, and so are its open streams" } },
      handle: ({ params }) =>
        withTokens(tokens, async (known) => {
          const isEnded = await known.revoke(params["token_id"] ?? "");
          return isEnded ? empty(204) : refused(unknownToken);
        }),
    },
  ];
}

const unknownToken = wireError("not_found", "There is no such scoped token.");
const noTokens = wireError("not_found", "Scoped tokens exist only where auth is by token.");

async function withTokens(
  tokens: ScopedTokens | undefined,
  handle: (tokens: ScopedTokens) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  return tokens ? handle(tokens) : refused(noTokens);
}

async function create(host: SessionHost, tokens: ScopedTokens, call: Call): Promise<HttpResponse> {
  const input = await call.readJson();
  if (!input.ok) return refused(input.error);
  const wish = validate(CreateToken, input.value);
  if (!wish.ok) return refused(wish.error);
  const { session_id } = wish.value;
  if (session_id !== undefined) {
    const session = await openSession(host, { params: { session_id }, principal: call.principal });
    if (!session.ok) return refused(session.error);
  }
  const created = await tokens.create(wish.value);
  if (!created.ok) return refused(created.error);
  const answer = json(201, created.value);
  const location = `/tokens/${created.value.token_id}`;
  return { ...answer, headers: { ...answer.headers, location } };
}
