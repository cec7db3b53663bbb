import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { wireError, type WireError, type Principal } from "@turnwire/protocol";
import type { Clock } from "@turnwire/base";
import type { Sharing } from "@turnwire/log/list";
import { FailureLimit } from "./failure-limit.ts";
import { BrowserLogin, type LoginCheck } from "./browser-login.ts";
import {
  type CredentialKind,
  type CredentialRecord,
  type CredentialStore,
  loginKind,
  type LoginRecord,
  type LoginStore,
  tokenKind,
  type TokenRecord,
  type TokenStore,
} from "./credential-store.ts";
import { LoginCodes } from "./login-code.ts";
import { LocalCredentialTable, type CredentialTable } from "./credential-table.ts";
import { Logins, serverIdFrom } from "./logins.ts";
import { ScopedTokens } from "./scoped-tokens.ts";
import { isSameSecret } from "./secret.ts";
import { SharedCredentialTable } from "./shared-credential-table.ts";
import { subprotocolAfter } from "./subprotocol.ts";
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
  | {
      readonly type: "token";
      readonly token: string;
      /** Where log-ins of browsers are kept; without it they end with the server. A store that several hosts share keeps them itself. */
      readonly logins?: LoginStore;
      /** The same for scoped tokens. */
      readonly tokens?: TokenStore;
    }
  | {
      readonly type: "authorize";
      readonly authorize: (request: AuthRequest) => Principal | null | Promise<Principal | null>;
    }
  | { readonly type: "off" };

export interface AuthRefusal {
  readonly type: "refused";
  readonly error: WireError;
  readonly retryAfter?: number;
}

/** Who a request comes from. `isAmbient`: the browser added a part of the credential by itself. */
export type AuthVerdict =
  | { readonly type: "admitted"; readonly principal: Principal; readonly isAmbient: boolean }
  | AuthRefusal;

/** Whoever holds the token, and everybody where auth is off: the machine's owner. */
const localPrincipal: Principal = { id: "local", isAdmin: true };

const BEARER = /^bearer +([!-~]+)$/i;
const BEARER_PROTOCOL = "bearer.";

/** The credentials that a server finds when it starts. */
export interface StoredCredentials {
  readonly logins: readonly LoginRecord[];
  readonly tokens: readonly TokenRecord[];
}

export interface AuthenticatorOptions {
  readonly auth: AuthOptions;
  /** What this server has in common with others over the same store: log-ins, their codes, failures. */
  readonly sharing: Sharing;
  readonly clock: Clock;
  readonly failuresPerMinute: number;
  /** Whose failures are counted together; the connection's address by default. */
  readonly clientAddress?: (incoming: IncomingMessage) => string;
  /** The credentials that outlived the last server. */
  readonly stored: StoredCredentials;
  readonly onFailure: () => void;
  /** Called after log-ins or scoped tokens were revoked. */
  readonly onRevoked: () => void;
  readonly onError: (error: unknown) => void;
}

/** Decides who a request comes from. */
export class Authenticator {
  /** Log-ins of browsers; undefined where there is no token to log in with. */
  readonly browsers: BrowserLogin | undefined;
  /** Undefined where there is no token that they could permit less than. */
  readonly tokens: ScopedTokens | undefined;
  readonly #auth: AuthOptions;
  readonly #limit: FailureLimit;
  readonly #options: AuthenticatorOptions;

  constructor(options: AuthenticatorOptions) {
    const { auth, clock, sharing, onError } = options;
    this.#auth = auth;
    this.#options = options;
    this.#limit = new FailureLimit({
      perMinute: options.failuresPerMinute,
      clock,
      values: sharing.isShared ? sharing.values : undefined,
      onError,
    });
    if (auth.type !== "token") return;
    const token = checkToken(auth.token, "the given token");
    const serverId = serverIdFrom(token);
    const { stored } = options;
    const table = tableFor(options, serverId, {
      kind: loginKind,
      records: stored.logins,
      store: auth.logins,
    });
    this.browsers = new BrowserLogin({
      logins: new Logins({ token, clock, table }),
      codes: new LoginCodes(sharing.values, serverId, clock),
      serverId,
    });
    const tokenTable = tableFor(options, serverId, {
      kind: tokenKind,
      records: stored.tokens,
      store: auth.tokens,
    });
    this.tokens = new ScopedTokens({ token, serverId, clock, table: tokenTable });
  }

  get isOff(): boolean {
    return this.#auth.type === "off";
  }

  /** A wrong credential counts as a failure of its address; a right one passes whatever others did there. */
  async judge(incoming: IncomingMessage): Promise<AuthVerdict> {
    const verdict = await this.#verdict(incoming);
    if (verdict.type === "refused" && bearerOf(incoming) !== undefined) return this.fail(incoming);
    return verdict;
  }

  /** Who an open connection belongs to by now; undefined when it may not continue. Counts no failures. */
  async currentPrincipal(incoming: IncomingMessage): Promise<Principal | undefined> {
    const verdict = await this.#verdict(incoming);
    return verdict.type === "admitted" ? verdict.principal : undefined;
  }

  /** Counts a wrong credential; a missing one guesses nothing and is not counted. */
  async fail(incoming: IncomingMessage): Promise<AuthRefusal> {
    this.#options.onFailure();
    const wait = await this.#limit.add(this.addressOf(incoming));
    return wait > 0 ? tooManyFailures(wait) : refusal();
  }

  close(): void {
    this.browsers?.logins.close();
    this.tokens?.close();
  }

  async #verdict(incoming: IncomingMessage): Promise<AuthVerdict> {
    switch (this.#auth.type) {
      case "off":
        return { type: "admitted", principal: localPrincipal, isAmbient: false };
      case "token":
        return this.#verdictByToken(incoming, this.#auth.token);
      case "authorize":
        return this.#verdictByHook(incoming, this.#auth.authorize);
    }
  }

  async #verdictByToken(incoming: IncomingMessage, token: string): Promise<AuthVerdict> {
    const bearer = bearerOf(incoming);
    if (bearer !== undefined) {
      const isOwn = isSameSecret(bearer, token);
      const principal = isOwn ? localPrincipal : await this.tokens?.principalOf(bearer);
      return principal ? { type: "admitted", principal, isAmbient: false } : refusal();
    }
    const check = (await this.browsers?.check(incoming)) ?? { type: "none" };
    if (check.type !== "logged_in") return refusal(check.type);
    return { type: "admitted", principal: localPrincipal, isAmbient: true };
  }

  async #verdictByHook(
    incoming: IncomingMessage,
    authorize: Extract<AuthOptions, { type: "authorize" }>["authorize"],
  ): Promise<AuthVerdict> {
    const bearer = bearerOf(incoming);
    const principal = await authorize({
      ...(bearer !== undefined && { bearer }),
      headers: incoming.headers,
      method: incoming.method ?? "GET",
      url: incoming.url ?? "/",
      address: this.addressOf(incoming),
    });
    if (!principal) return refusal();
    return { type: "admitted", principal, isAmbient: bearer === undefined };
  }

  addressOf(incoming: IncomingMessage): string {
    return this.#options.clientAddress?.(incoming) ?? incoming.socket.remoteAddress ?? "";
  }
}

interface TableParts<Credential extends CredentialRecord> {
  readonly kind: CredentialKind<Credential>;
  readonly records: readonly Credential[];
  readonly store: CredentialStore<Credential> | undefined;
}

function tableFor<Credential extends CredentialRecord>(
  options: AuthenticatorOptions,
  serverId: string,
  { kind, records, store }: TableParts<Credential>,
): CredentialTable<Credential> {
  if (options.sharing.isShared) return new SharedCredentialTable({ ...options, serverId, kind });
  return new LocalCredentialTable({
    ...options,
    records: records.filter(({ server_id }) => server_id === serverId),
    store,
  });
}

function bearerOf(incoming: IncomingMessage): string | undefined {
  const { authorization } = incoming.headers;
  if (authorization !== undefined) return BEARER.exec(authorization)?.[1] ?? "";
  return subprotocolAfter(incoming, BEARER_PROTOCOL);
}

const reasons: Readonly<Record<Exclude<LoginCheck["type"], "logged_in">, string>> = {
  none: "Send Authorization: Bearer <token>, or log this browser in: run `turnwire login` and open its link.",
  login_incomplete:
    "Log in again: this browser has the login cookie, but not the key that belongs to it. Run `turnwire login` and open its link.",
  login_ended:
    "Log in again: this log-in was revoked, or not used for too long. Run `turnwire login` and open its link.",
};

function refusal(reason: keyof typeof reasons = "none"): AuthRefusal {
  const details = reason === "none" ? undefined : { reason };
  return { type: "refused", error: wireError("unauthorized", reasons[reason], details) };
}

function tooManyFailures(retryAfter: number): AuthRefusal {
  const message = `Too many failed logins; wait ${retryAfter} s.`;
  return { type: "refused", error: wireError("rate_limited", message), retryAfter };
}
