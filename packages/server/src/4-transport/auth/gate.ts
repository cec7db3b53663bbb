import type { IncomingMessage } from "node:http";
import type { Principal } from "@turnwire/protocol";
import { type HttpResponse, refused } from "@turnwire/wire";
import type { Authenticator } from "./auth.ts";
import type { Guard } from "../http/guard.ts";

/** Either who it is, or what to answer instead. */
export type GateResult =
  | { readonly isAdmitted: true; readonly principal: Principal }
  | { readonly isAdmitted: false; readonly answer: HttpResponse };

/** Lets a request in that passed the guard: known, and meant by whoever it is known as. */
export class Gate {
  readonly #authenticator: Authenticator;
  readonly #guard: Guard;

  constructor(authenticator: Authenticator, guard: Guard) {
    this.#authenticator = authenticator;
    this.#guard = guard;
  }

  /** The client's address, behind a trusted proxy too. */
  addressOf(incoming: IncomingMessage): string {
    return this.#authenticator.addressOf(incoming);
  }

  async admit(incoming: IncomingMessage): Promise<GateResult> {
    const verdict = await this.#authenticator.judge(incoming);
    if (verdict.type === "refused") {
      const { error, retryAfter } = verdict;
      const answer = refused(error, {
        ...(error.code === "unauthorized" && { "www-authenticate": 'Bearer realm="turnwire"' }),
        ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
      });
      return { isAdmitted: false, answer };
    }
    if (verdict.isAmbient) {
      const use = this.#guard.checkCookieUse(incoming);
      if (!use.ok) return { isAdmitted: false, answer: refused(use.error) };
    }
    return { isAdmitted: true, principal: this.#placed(verdict.principal, incoming) };
  }

  /** Who a request that was admitted comes from by now; undefined when it would not be admitted any more. */
  async currentPrincipal(incoming: IncomingMessage): Promise<Principal | undefined> {
    const principal = await this.#authenticator.currentPrincipal(incoming);
    return principal && this.#placed(principal, incoming);
  }

  #placed(principal: Principal, incoming: IncomingMessage): Principal {
    return { ...principal, address: this.addressOf(incoming) };
  }
}
