import { pageKeyHeader } from "@turnwire/protocol";
import type { RunningServer } from "./running-server.ts";

/** A browser that followed a login link, as far as a server sees it. */
export interface TestBrowser {
  readonly answer: Response;
  readonly setCookie: string;
  /** The pair that the browser sends to every port of the host. */
  readonly cookie: string;
  readonly pageKey: string;
  /** What a page of the server sends. */
  readonly headers: Record<string, string>;
}

/** Redeems a login link as its page does. */
export async function logInBrowser(
  { server, url }: Pick<RunningServer, "server" | "url">,
  headers: Record<string, string> = {},
): Promise<TestBrowser> {
  const link = new URL(await server.loginUrl()).pathname;
  const answer = await fetch(`${url}${link}`, {
    method: "POST",
    headers: { origin: url, ...headers },
  });
  const setCookie = answer.headers.get("set-cookie") ?? "";
  const cookie = setCookie.split(";")[0] ?? "";
  const body = (await answer.json()) as { page_key?: string };
  const pageKey = body.page_key ?? "";
  return {
    answer,
    setCookie,
    cookie,
    pageKey,
    headers: { cookie, [pageKeyHeader]: pageKey, origin: url },
  };
}
