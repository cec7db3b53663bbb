import type { IncomingMessage } from "node:http";
import { pageKeyHeader, pageKeyProtocol } from "@turnwire/protocol";
import { browserName } from "./browser-name.ts";
import type { LoginCodes, LoginLink } from "./login-code.ts";
import { LoginCookie } from "./login-cookie.ts";
import type { Logins } from "./logins.ts";
import { subprotocolAfter } from "./subprotocol.ts";

/**
 * Whether a request comes from a browser that is logged in. login_incomplete: it has the cookie but
 * not the key; login_ended: the log-in was revoked, or not used for too long.
 */
export type LoginCheck =
  | { readonly type: "logged_in"; readonly id: string }
  | { readonly type: "login_incomplete" | "login_ended" | "none" };

/** What a browser gets for a login code. */
export interface LoginGrant {
  readonly setCookie: string;
  readonly pageKey: string;
}

export interface BrowserLoginOptions {
  readonly logins: Logins;
  readonly codes: LoginCodes;
  /** Identifies the server in the name of its cookie. */
  readonly serverId: string;
}

/**
 * Logs browsers in with two secrets: a cookie, which every other port of the host receives too, and
 * a key in the storage of the page's origin, which only our own pages can read. Each alone is nothing.
 */
export class BrowserLogin {
  readonly logins: Logins;
  readonly #codes: LoginCodes;
  readonly #cookie: LoginCookie;

  constructor({ logins, codes, serverId }: BrowserLoginOptions) {
    this.logins = logins;
    this.#codes = codes;
    this.#cookie = new LoginCookie(serverId);
  }

  async check(incoming: IncomingMessage): Promise<LoginCheck> {
    const cookie = this.#cookie.valueIn(incoming);
    const pageKey = pageKeyOf(incoming);
    if (pageKey === undefined) {
      const hasCookie = cookie !== undefined || this.#cookie.hasOldValue(incoming);
      return { type: hasCookie ? "login_incomplete" : "none" };
    }
    const login = cookie === undefined ? undefined : await this.logins.findByCookie(cookie);
    if (!login || !this.logins.isKeyOf(login, pageKey)) return { type: "login_ended" };
    this.logins.touch(login);
    return { type: "logged_in", id: login.id };
  }

  /** The log-in that a request comes from. */
  async currentId(incoming: IncomingMessage): Promise<string | undefined> {
    const check = await this.check(incoming);
    return check.type === "logged_in" ? check.id : undefined;
  }

  /** The code of a new login link, when it would be redeemed. */
  issueCode(link: LoginLink = {}): Promise<string> {
    return this.#codes.issue(link);
  }

  isGoodCode(code: string): Promise<boolean> {
    return this.#codes.isGood(code);
  }

  /** Logs a browser in; one that is logged in already keeps its log-in. Undefined for a wrong code. */
  async redeem(code: string, incoming: IncomingMessage): Promise<LoginGrant | undefined> {
    const link = await this.#codes.redeem(code);
    if (!link) return undefined;
    const { name } = link;
    const cookie = this.#cookie.valueIn(incoming) ?? "";
    const pageKey = pageKeyOf(incoming) ?? "";
    const current = await this.currentId(incoming);
    if (current !== undefined) {
      if (name !== undefined) await this.logins.rename(current, name);
      return { setCookie: this.#cookie.setHeader(incoming, cookie), pageKey };
    }
    const replaced = await this.logins.findByCookie(cookie);
    await this.logins.revoke((id) => id === replaced?.id);
    const made = await this.logins.create(name ?? browserName(incoming.headers["user-agent"]));
    return { setCookie: this.#cookie.setHeader(incoming, made.cookie), pageKey: made.pageKey };
  }

  /** Ends the log-in of a request; the Set-Cookie header that takes the cookie back. */
  async logOut(incoming: IncomingMessage): Promise<string> {
    const current = await this.currentId(incoming);
    await this.logins.revoke((id) => id === current);
    return this.#cookie.clearHeader(incoming);
  }
}

function pageKeyOf(incoming: IncomingMessage): string | undefined {
  const header = incoming.headers[pageKeyHeader];
  return typeof header === "string" ? header : subprotocolAfter(incoming, pageKeyProtocol);
}
