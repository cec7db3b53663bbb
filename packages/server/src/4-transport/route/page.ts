import { html } from "../http/http-response.ts";
import type { Route } from "@turnwire/wire";
import type { Page } from "../http/welcome-page.ts";

/** What a person sees in a browser where no web application is served. It holds no data; it fetches it. */
export const welcomeRoute = (page: Page): Route => ({
  method: "GET",
  path: "/",
  summary: "Show a welcome page",
  access: "open",
  answers: { 200: { description: "A page", contentType: "text/html" } },
  handle: () => html(200, page.text, page.policy),
});
