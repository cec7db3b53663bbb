import type { TrustInfo, TrustList } from "@turnwire/protocol";
import type { Http } from "../5-connection/http.ts";
import type { CallOptions } from "./session-api.ts";

/** Which directories may configure the agents that work in them, for the server's admins. */
export interface TrustApi {
  /** The configuration of a directory, and whether it applies. */
  get(path: string, options?: CallOptions): Promise<TrustInfo>;
  /** Trusts a directory as it was shown; a ClientError with `trust_changed` where it is no longer the same. */
  set(path: string, digest: string, options?: CallOptions): Promise<TrustInfo>;
  /** Forgets the trust of a directory. */
  remove(path: string, options?: CallOptions): Promise<void>;
  /** The directories that were trusted. */
  list(options?: CallOptions): Promise<TrustList>;
}

export function createTrustApi(http: Http): TrustApi {
  const path = ["trust"];
  return {
    get: (directory, call) =>
      http.json({ method: "GET", path, query: { path: directory }, ...call }),
    set: (directory, digest, call) =>
      http.json({ method: "PUT", path, body: { path: directory, digest }, ...call }),
    async remove(directory, call) {
      await http.text({ method: "DELETE", path, query: { path: directory }, ...call });
    },
    list: (call) => http.json({ method: "GET", path: [...path, "directories"], ...call }),
  };
}
