import { pageKeyStorage } from "@turnwire/protocol";
import type { BrowserContextOptions } from "playwright-core";
import type { AppServer } from "./app-server.ts";

type StorageState = Exclude<BrowserContextOptions["storageState"], string | undefined>;

const userAgent = "Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/156.0.0.0";

/** What a browser keeps after it followed a login link: the cookie and the key of the page. */
export async function logIn({ url, loginUrl }: AppServer): Promise<StorageState> {
  const { origin, hostname, pathname } = new URL(`${url}/`);
  const answer = await fetch(await loginUrl(), {
    method: "POST",
    headers: { origin, "user-agent": userAgent },
  });
  if (!answer.ok) throw new Error(`The log-in was refused with ${answer.status}.`);
  const { page_key: pageKey } = (await answer.json()) as { page_key: string };
  const [pair = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
  const [name = "", value = ""] = pair.split("=");
  const cookie = { name, value, domain: hostname, path: "/", expires: -1 };
  return {
    cookies: [{ ...cookie, httpOnly: true, secure: false, sameSite: "Strict" }],
    origins: [{ origin, localStorage: [{ name: pageKeyStorage + pathname, value: pageKey }] }],
  };
}
