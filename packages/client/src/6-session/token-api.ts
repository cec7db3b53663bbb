import type { CreatedToken, CreateToken, TokenInfo } from "@turnwire/protocol";
import type { Http } from "../5-connection/http.ts";
import type { CallOptions } from "./session-api.ts";

/** Tokens that permit less than the server's own, or end; for its admins. */
export interface TokenApi {
  /** The only time that the token itself is shown. */
  create(token: CreateToken, options?: CallOptions): Promise<CreatedToken>;
  /** Newest first. */
  list(options?: CallOptions): Promise<{ readonly tokens: readonly TokenInfo[] }>;
  /** Ends a token and its open streams. */
  revoke(tokenId: string, options?: CallOptions): Promise<void>;
}

export function createTokenApi(http: Http): TokenApi {
  const path = ["tokens"];
  return {
    create: (token, call) => http.json({ method: "POST", path, body: token, ...call }),
    list: (call) => http.json({ method: "GET", path, ...call }),
    async revoke(tokenId, call) {
      await http.text({ method: "DELETE", path: [...path, tokenId], ...call });
    },
  };
}
