import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { wireError, type WireError } from "@turnwire/protocol";
import type { Clock } from "../1-runtime/clock.ts";
import type { Principal } from "../2-session/principal.ts";
import { FailureLimit } from "./failure-limit.ts";
import { LoginCodes, LoginCookie } from "./login.ts";
import { isSameSecret } from "./secret.ts";
import { checkToken } from "./token.ts";

/** What a hook learns of a request to judge it. */
export interface AuthRequest {
  /** From the Authorization header, or from the subprotocols of a WebSocket. */
  readonly bearer?: string;
  readonly headers: IncomingHttpHeaders;
  readonly method: string;
  readonly url: string;
  readonly address: string;
}

/** token: one secret for one owner; authorize: an embedder knows its users; off: loopback only. */
export type AuthOptions =
  | { readonly type: "token"; readonly token: string }
  | {
      readonly type: "authorize";
      readonly authorize: (request: AuthRequest) => Principal | null | Promise<Principal | null>;
    }
  | { readonly type: "off" };

/** Who a request comes from. `isAmbient`: the browser added the credential by itself. */
export type AuthVerdict =
  | { readonly type: "admitted"; readonly principal: Principal; readonly isAmbient: boolean }
  | { readonly type: "refused"; readonly error: WireError; readonly retryAfter?: number };

/** Whoever holds the token, and everybody where auth is off: the machine's owner. */
const localPrincipal: Principal = { id: "local", isAdmin: true };

const BEARER = /^bearer +([!-~]+)$/i;
const BEARER_PROTOCOL = "bearer.";

export interface AuthenticatorOptions {
  readonly auth: AuthOptions;
  readonly clock: Clock;
  readonly failuresPerMinute: number;
  readonly onFailure: () => void;
}

/** Decides who a request comes from. */
export class Authenticator {
  readonly #auth: AuthOptions;
  readonly #limit: FailureLimit;
  readonly #onFailure: () => void;
  readonly #codes: LoginCodes;
  readonly #cookie: LoginCookie | undefined;

  constructor(options: AuthenticatorOptions) {
    const { auth, clock } = options;
    this.#auth = auth;
    this.#limit = new FailureLimit(options.failuresPerMinute, clock);
    this.#onFailure = options.onFailure;
    this.#codes = new LoginCodes(clock);
    if (auth.type === "token") {
      this.#cookie = new LoginCookie(checkToken(auth.token, "the given token"), clock);
    }
  }

  get isOff(): boolean {
    return this.#auth.type === "off";
  }

  async judge(incoming: IncomingMessage): Promise<AuthVerdict> {
    switch (this.#auth.type) {
      case "off":
        return { type: "admitted", principal: localPrincipal, isAmbient: false };
      case "token":
        return this.#judgeByToken(incoming, this.#auth.token);
      case "authorize":
        return this.#judgeByHook(incoming, this.#auth.authorize);
    }
  }

  /** A code for a login link; undefined where there is no token to log in with. */
  issueLoginCode(): string | undefined {
    return this.#cookie && this.#codes.issue();
  }

  /** The Set-Cookie value for a login code, or why there is none. */
  redeemLoginCode(
    code: string,
    incoming: IncomingMessage,
  ): { readonly cookie: string } | Extract<AuthVerdict, { type: "refused" }> {
    if (!this.#cookie || !this.#codes.redeem(code)) return this.#fail(incoming);
    const isSecure = incoming.headers["x-forwarded-proto"] === "https";
    return { cookie: this.#cookie.issue({ isSecure }) };
  }

  /** The right token always passes: an attacker on the same address cannot lock its owner out. */
  #judgeByToken(incoming: IncomingMessage, token: string): AuthVerdict {
    const bearer = bearerOf(incoming);
    if (bearer !== undefined) {
      if (!isSameSecret(bearer, token)) return this.#fail(incoming);
      return { type: "admitted", principal: localPrincipal, isAmbient: false };
    }
    const { cookie } = incoming.headers;
    if (this.#cookie?.isIn(cookie)) {
      return { type: "admitted", principal: localPrincipal, isAmbient: true };
    }
    return refusal();
  }

  async #judgeByHook(
    incoming: IncomingMessage,
    authorize: Extract<AuthOptions, { type: "authorize" }>["authorize"],
  ): Promise<AuthVerdict> {
    const address = addressOf(incoming);
    const wait = this.#limit.waitSeconds(address);
    if (wait > 0) return tooManyFailures(wait);
    const bearer = bearerOf(incoming);
    const principal = await authorize({
      ...(bearer !== undefined && { bearer }),
      headers: incoming.headers,
      method: incoming.method ?? "GET",
      url: incoming.url ?? "/",
      address,
    });
    if (principal) return { type: "admitted", principal, isAmbient: bearer === undefined };
    return bearer === undefined ? refusal() : this.#fail(incoming);
  }

  /** Only a wrong credential counts: a missing one guesses nothing. */
  #fail(incoming: IncomingMessage): Extract<AuthVerdict, { type: "refused" }> {
    this.#onFailure();
    const address = addressOf(incoming);
    const wait = this.#limit.waitSeconds(address);
    if (wait > 0) return tooManyFailures(wait);
    this.#limit.add(address);
    return refusal();
  }
}

function bearerOf(incoming: IncomingMessage): string | undefined {
  const { authorization } = incoming.headers;
  if (authorization !== undefined) return BEARER.exec(authorization)?.[1] ?? "";
  const offered = incoming.headers["sec-websocket-protocol"]?.split(",") ?? [];
  const protocol = offered
    .map((name) => name.trim())
    .find((name) => name.startsWith(BEARER_PROTOCOL));
  return protocol?.slice(BEARER_PROTOCOL.length);
}

function addressOf(incoming: IncomingMessage): string {
  return incoming.socket.remoteAddress ?? "";
}

function refusal(): Extract<AuthVerdict, { type: "refused" }> {
  const message =
    "Send Authorization: Bearer <token>, or open the login link that the server printed.";
  return { type: "refused", error: wireError("unauthorized", message) };
}

function tooManyFailures(retryAfter: number): Extract<AuthVerdict, { type: "refused" }> {
  const message = `Too many failed logins; wait ${retryAfter} s.`;
  return { type: "refused", error: wireError("rate_limited", message), retryAfter };
}
