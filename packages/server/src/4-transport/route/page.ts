import type { Authenticator } from "../auth.ts";
import { empty, html, refused } from "../answer.ts";
import type { Route } from "../route.ts";
import { loginFailedPage, welcomePage } from "../welcome-page.ts";

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
        return empty(303, { location: "/", "set-cookie": redeemed.cookie });
      }
      const answer = refused(redeemed.error);
      const wantsPage = call.incoming.headers.accept?.includes("text/html") ?? false;
      return wantsPage ? html(answer.status, loginFailedPage.text, loginFailedPage.policy) : answer;
    },
  };
  return hasWebRoot ? [login] : [welcome, login];
}
