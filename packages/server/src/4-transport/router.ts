import type { ServerResponse } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { defined, isObject } from "@turnwire/base";
import { JsonObject, type Principal, wireError } from "@turnwire/protocol";
import type { AuditAct } from "../3-host/audit/audit-log.ts";
import { Hono, type Context } from "hono";
import { type HttpResponse, TAKEN, refused, type OpenCall, type Route } from "@turnwire/wire";
import { wireErrorFrom } from "./http/http-response.ts";
import { readJson, type BodyLimits } from "./http/body.ts";
import type { Gate } from "./auth/gate.ts";
import { rightError } from "./auth/right.ts";
import { routerPath } from "./http/path.ts";
import { serveWebApp } from "./http/web-app.ts";

export interface RouterOptions {
  readonly routes: readonly Route[];
  readonly gate: Gate;
  readonly body: BodyLimits;
  /** A built web application to serve at `/`. */
  readonly webRoot?: string;
  readonly cliOptions?: string;
  /** Ports of this machine that the web application may connect to. */
  readonly pagePorts: readonly number[];
  /** Called with the route that answers a request. */
  readonly onRoute: (outgoing: ServerResponse, path: string) => void;
  /** Called with what was done by a request that changes something beyond the words of a session. */
  readonly onAct: (act: AuditAct) => void;
  readonly onError: (error: unknown) => void;
}

type Env = { Bindings: HttpBindings };

/** Turns the table of routes into a router; everything else is 404, 405 or a file of the web application. */
export function createRouter(options: RouterOptions): Hono<Env> {
  const app = new Hono<Env>();
  const methods = new Map<string, string[]>();
  for (const route of options.routes) {
    const path = routerPath(route.path);
    methods.set(path, [...(methods.get(path) ?? []), route.method]);
    app.on(route.method, path, async (context) => {
      options.onRoute(context.env.outgoing, route.path);
      return responseFrom(await run(options, route, context));
    });
  }
  for (const [path, allowed] of methods) {
    app.all(path, async (context) => {
      const error = wireError(
        "method_not_allowed",
        `${context.req.method} is not possible here; use ${allowed.join(" or ")}.`,
      );
      return refuseKnown(options, context, refused(error, { allow: allowed.join(", ") }));
    });
  }
  const { webRoot: root } = options;
  if (root !== undefined) serveWebApp(app, { ...options, root });
  app.notFound(async (context) => {
    const error = wireError("not_found", "There is nothing at this path; see /openapi.json.");
    return refuseKnown(options, context, refused(error));
  });
  app.onError((error) => {
    options.onError(error);
    return responseFrom(refused(wireErrorFrom(error)));
  });
  return app;
}

async function run(
  options: RouterOptions,
  route: Route,
  context: Context<Env>,
): Promise<HttpResponse | typeof TAKEN> {
  const { incoming, outgoing } = context.env;
  let details: JsonObject = {};
  const call: OpenCall = {
    params: context.req.param(),
    query: new URL(context.req.url).searchParams,
    incoming,
    outgoing,
    async readJson() {
      const input = await readJson(incoming, options.body);
      if (input.ok) details = factsOf(input.value);
      return input;
    },
  };
  const report = (answer: HttpResponse | typeof TAKEN, principal?: Principal) => {
    if (!isAudited(route) || answer === TAKEN) return answer;
    const { session_id } = call.params;
    options.onAct({
      action: `${route.method} ${route.path}`,
      outcome: answer.status < 400 ? "accepted" : String(answer.status),
      ...(principal && { principal: principal.id }),
      address: options.gate.addressOf(incoming),
      ...defined({ session_id }),
      details: {
        ...details,
        ...namedParams(call.params),
        ...defined({ by_token: principal?.token?.id, created: answer.headers["location"] }),
      },
    });
    return answer;
  };
  if (route.access === "open") return report(await route.handle(call));
  const gateResult = await options.gate.admit(incoming);
  if (!gateResult.isAdmitted) return gateResult.answer;
  const { principal } = gateResult;
  const error = rightError(principal, route);
  if (error) return report(refused(error), principal);
  return report(await route.handle({ ...call, principal }), principal);
}

/** Commands to sessions are recorded by the host, whatever wire they come by. */
function isAudited({ method, path, access }: Route): boolean {
  if (method === "GET") return false;
  return (
    access === "admin" || /^\/(?:log|sessions$)/.test(path) || path === "/sessions/{session_id}"
  );
}

/** The choices in a body, by name: never texts that people wrote, and no secrets. */
const factNames = ["path", "digest", "kind", "tool", "argv", "host", "write", "is_exact", "mode"];
const tokenFactNames = ["scope", "session_id", "expires_in_ms"];
const sessionFactNames = ["policy_mode", "permission_mode", "runtime", "cwd", "sandbox"];

function factsOf(body: unknown): JsonObject {
  if (!isObject(body)) return {};
  const known = [...factNames, ...sessionFactNames, ...tokenFactNames].filter((name) =>
    Object.hasOwn(body, name),
  );
  return JsonObject.parse(Object.fromEntries(known.map((name) => [name, body[name]])));
}

/** Ids in the path; the code of a login link is a secret. */
function namedParams({ session_id: _, code: _code, ...others }: OpenCall["params"]): JsonObject {
  return others;
}

/** Strangers do not learn which paths exist. */
async function refuseKnown(
  options: RouterOptions,
  context: Context<Env>,
  answer: HttpResponse,
): Promise<Response> {
  const gateResult = await options.gate.admit(context.env.incoming);
  return responseFrom(gateResult.isAdmitted ? answer : gateResult.answer);
}

function responseFrom(answer: HttpResponse | typeof TAKEN): Response {
  if (answer === TAKEN) return RESPONSE_ALREADY_SENT;
  return new Response(answer.body, { status: answer.status, headers: answer.headers });
}
