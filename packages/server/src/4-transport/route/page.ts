import { wireError } from "@turnwire/protocol";
import * as z from "zod";
import { empty, html, json, refused } from "../answer.ts";
import type { Authenticator } from "../auth.ts";
import type { Route } from "../route.ts";
import { loginFailedPage, welcomePage } from "../welcome-page.ts";

const LoginLink = z.object({ path: z.string() });

/** What a person sees in a browser. Pages hold no data; they fetch it with the cookie. */
export function pageRoutes(authenticator: Authenticator, hasWebRoot: boolean): Route[] {
  const pageShape = { description: "A page", contentType: "text/html" };
  const welcome: Route = {
    method: "GET",
    path: "/",
    summary: "Welcome a person",
    access: "open",
    answers: { 200: pageShape },
    handle: () => html(200, welcomePage.text, welcomePage.policy),
  };
  const login: Route = {
    method: "GET",
    path: "/login/{code}",
    summary: "Log a browser in, once for each code",
    access: "open",
    answers: { 303: { description: "Logged in: the cookie is set" } },
    handle(call) {
      // Link checkers ask with HEAD; only a visit may use the code up.
      if (call.incoming.method === "HEAD") return empty(200);
      const redeemed = authenticator.redeemLoginCode(call.params["code"] ?? "", call.incoming);
      if ("cookie" in redeemed) {
        // Relative: behind a proxy the root may have another path.
        return empty(303, { location: "../", "set-cookie": redeemed.cookie });
      }
      const answer = refused(redeemed.error);
      const wantsPage = call.incoming.headers.accept?.includes("text/html") ?? false;
      return wantsPage ? html(answer.status, loginFailedPage.text, loginFailedPage.policy) : answer;
    },
  };
  const link: Route = {
    method: "POST",
    path: "/login",
    summary: "Make a link that logs a browser in, once within ten minutes; for admins",
    access: "principal",
    answers: { 201: { description: "Where the link leads on this server", schema: LoginLink } },
    handle(call) {
      if (!call.principal.isAdmin) return refused(wireError("forbidden", "Only for admins."));
      const code = authenticator.issueLoginCode();
      if (code !== undefined) return json(201, { path: `/login/${code}` });
      return refused(wireError("not_found", "Login links need auth by token."));
    },
  };
  return hasWebRoot ? [login, link] : [welcome, login, link];
}
