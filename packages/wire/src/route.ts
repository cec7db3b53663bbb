import type { IncomingMessage, ServerResponse } from "node:http";
import * as z from "zod";
import { type Result, SessionId, validate, wireError, type Principal } from "@turnwire/protocol";
import type { OpenSession } from "./open-session.ts";
import type { SocketRoute } from "./socket-route.ts";
import type { WireHost } from "./wire.ts";
import { refused, type HttpResponse, type TAKEN } from "./http-response.ts";

/** A request that has reached its route. */
export interface OpenCall {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readJson(): Promise<Result<unknown>>;
}

/** A request of somebody known. */
export interface Call extends OpenCall {
  readonly principal: Principal;
}

type Handled = HttpResponse | typeof TAKEN | Promise<HttpResponse | typeof TAKEN>;

/** What the description of a route says of one answer; without schema it has another content type, or none. */
export interface AnswerShape {
  readonly description: string;
  readonly schema?: z.ZodType;
  readonly contentType?: string;
}

/** The right that a path demands. */
export type Access = "read" | "operate" | "admin";

export interface RouteRight {
  readonly access: Access;
  readonly path: string;
  /**
   * A path without `{session_id}` that is open to tokens for one session, because it answers them
   * with nothing of any other.
   */
  readonly isNarrowed?: boolean;
}

interface RouteFacts extends Pick<RouteRight, "isNarrowed"> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With parameters as `{name}`. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly answers: Readonly<Record<number, AnswerShape>>;
}

/**
 * One row of the table that drives the router, the OpenAPI document and PROTOCOL.md.
 * open: needs no credential; read: any valid one; operate: one that is not only for reading; admin: that of an admin.
 */
export type Route = RouteFacts &
  (
    | { readonly access: "open"; handle(call: OpenCall): Handled }
    | { readonly access: Access; handle(call: Call): Handled }
  );

/** Every path that a server answers on, as it is described. */
export interface DescribedPaths {
  readonly routes: readonly (RouteFacts & Pick<Route, "access">)[];
  readonly sockets: readonly Pick<SocketRoute, "path" | "summary" | "access" | "isNarrowed">[];
}

/** For routes that take no body. */
export const noBody = z.undefined();

interface SessionRouteOptions<Body> extends RouteFacts {
  readonly path: `/sessions/{session_id}${string}`;
  readonly body: z.ZodType<Body>;
  handle(session: OpenSession, body: Body, call: Call): Handled;
}

type SessionOpener = Pick<WireHost, "openOrRead">;

/** A route on one session: it is opened for whoever asks, then the body is read and checked. */
export function sessionRoute<Body>(host: SessionOpener, options: SessionRouteOptions<Body>): Route {
  const { body: schema, ...facts } = options;
  const takesBody = !(schema instanceof z.ZodUndefined);
  return {
    ...facts,
    ...(takesBody && { body: schema }),
    access: facts.method === "GET" ? "read" : "operate",
    async handle(call: Call) {
      const session = await openSession(host, call);
      if (!session.ok) return refused(session.error);
      const input = takesBody ? await call.readJson() : { ok: true as const, value: undefined };
      if (!input.ok) return refused(input.error);
      const body = validate(schema, input.value);
      return body.ok ? options.handle(session.value, body.value, call) : refused(body.error);
    },
  };
}

/** Opens the session a path names; what cannot be an id is not a session. */
export async function openSession(
  host: SessionOpener,
  call: Pick<Call, "params" | "principal">,
): Promise<Result<OpenSession>> {
  const id = SessionId.safeParse(call.params["session_id"]);
  if (id.success) return host.openOrRead(id.data, call.principal);
  return { ok: false, error: wireError("session_not_found", "There is no such session.") };
}
