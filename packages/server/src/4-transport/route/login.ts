import * as z from "zod";
import {
  LoginChange,
  LoginInfo,
  LoginLinkInput,
  LoginList,
  type Result,
  validate,
  wireError,
} from "@turnwire/protocol";
import { type HttpResponse, json, empty, refused, type OpenCall, type Route } from "@turnwire/wire";
import { html } from "../http/http-response.ts";
import type { Authenticator } from "../auth/auth.ts";
import type { BrowserLogin } from "../auth/browser-login.ts";
import type { TerminalPages } from "../http/welcome-page.ts";

const LoginLink = z.object({ path: z.string() });
const PageKey = z.object({ page_key: z.string() });

/** How browsers come in, and how their log-ins are seen and ended. */
export function loginRoutes(authenticator: Authenticator, pages: TerminalPages): Route[] {
  return [...entryRoutes(authenticator, pages), ...managementRoutes(authenticator)];
}

function entryRoutes(authenticator: Authenticator, { login, loginFailed }: TerminalPages): Route[] {
  return [
    {
      method: "GET",
      path: "/login/{code}",
      summary: "The page of a login link, which redeems its code",
      access: "open",
      answers: { 200: { description: "A page", contentType: "text/html" } },
      async handle(call) {
        // Link checkers ask with HEAD, and previews with GET: neither uses the code up.
        if (call.incoming.method === "HEAD") return empty(200);
        if (await authenticator.browsers?.isGoodCode(call.params["code"] ?? "")) {
          return html(200, login.text, login.policy);
        }
        const answer = refused((await authenticator.fail(call.incoming)).error);
        const wantsPage = call.incoming.headers.accept?.includes("text/html") ?? false;
        return wantsPage ? html(answer.status, loginFailed.text, loginFailed.policy) : answer;
      },
    },
    {
      method: "POST",
      path: "/login/{code}",
      summary: "Log a browser in, once for each code: sets the cookie, answers with the page's key",
      access: "open",
      answers: { 200: { description: "The key for the storage of the origin", schema: PageKey } },
      async handle(call) {
        const code = call.params["code"] ?? "";
        const grant = await authenticator.browsers?.redeem(code, call.incoming);
        if (!grant) return refused((await authenticator.fail(call.incoming)).error);
        return withCookie(json(200, { page_key: grant.pageKey }), grant.setCookie);
      },
    },
    {
      method: "POST",
      path: "/login",
      summary: "Make a link that logs a browser in, once within ten minutes",
      access: "admin",
      body: LoginLinkInput,
      answers: { 201: { description: "Where the link leads on this server", schema: LoginLink } },
      handle: (call) =>
        withLogins(authenticator, async (browsers) => {
          const link = await bodyOf(LoginLinkInput, call);
          if (!link.ok) return refused(link.error);
          const { name } = link.value;
          const code = await browsers.issueCode(name === undefined ? {} : { name });
          return json(201, { path: `/login/${code}` });
        }),
    },
    {
      method: "POST",
      path: "/logout",
      summary: "End the log-in that the request comes from, and clear its cookie",
      access: "operate",
      answers: { 204: { description: "Logged out" } },
      async handle({ incoming }) {
        if (!authenticator.browsers) return refused(noLogins);
        return withCookie(empty(204), await authenticator.browsers.logOut(incoming));
      },
    },
  ];
}

function managementRoutes(authenticator: Authenticator): Route[] {
  const path = "/logins/{login_id}";
  return [
    {
      method: "GET",
      path: "/logins",
      summary: "List the browsers that are logged in",
      access: "admin",
      answers: { 200: { description: "Last used first", schema: LoginList } },
      handle: (call) =>
        withLogins(authenticator, async (browsers) => {
          const current = await browsers.currentId(call.incoming);
          return json(200, { logins: await browsers.logins.list(current) });
        }),
    },
    {
      method: "DELETE",
      path: "/logins",
      summary: "End all log-ins but the one that the request comes from",
      access: "admin",
      answers: { 204: { description: "They are ended, and so are their open streams" } },
      handle: (call) =>
        withLogins(authenticator, async (browsers) => {
          const current = await browsers.currentId(call.incoming);
          await browsers.logins.revoke((id) => id !== current);
          return empty(204);
        }),
    },
    {
      method: "PATCH",
      path,
      summary: "Rename a log-in",
      access: "admin",
      body: LoginChange,
      answers: { 200: { description: "The log-in", schema: LoginInfo } },
      handle: (call) =>
        withLogins(authenticator, async (browsers) => {
          const change = await bodyOf(LoginChange, call);
          if (!change.ok) return refused(change.error);
          const id = call.params["login_id"] ?? "";
          if (!(await browsers.logins.rename(id, change.value.name))) return refused(unknownLogin);
          const logins = await browsers.logins.list(await browsers.currentId(call.incoming));
          const renamed = logins.find(({ login_id }) => login_id === id);
          return renamed ? json(200, renamed) : refused(unknownLogin);
        }),
    },
    {
      method: "DELETE",
      path,
      summary: "End a log-in",
      access: "admin",
      answers: { 204: { description: "It is ended, and so are its open streams" } },
      handle: (call) =>
        withLogins(authenticator, async (browsers) => {
          const id = call.params["login_id"] ?? "";
          const count = await browsers.logins.revoke((other) => other === id);
          return count > 0 ? empty(204) : refused(unknownLogin);
        }),
    },
  ];
}

const unknownLogin = wireError("not_found", "There is no such log-in.");
const noLogins = wireError("not_found", "Browsers log in only where auth is by token.");

async function withLogins(
  { browsers }: Authenticator,
  handle: (browsers: BrowserLogin) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  return browsers ? handle(browsers) : refused(noLogins);
}

async function bodyOf<Body>(schema: z.ZodType<Body>, call: OpenCall): Promise<Result<Body>> {
  const input = await call.readJson();
  return input.ok ? validate(schema, input.value) : input;
}

function withCookie(answer: HttpResponse, setCookie: string): HttpResponse {
  return { ...answer, headers: { ...answer.headers, "set-cookie": setCookie } };
}
