import type { LoginInfo } from "@turnwire/protocol";
import type { Http } from "../5-connection/http.ts";
import type { CallOptions } from "./session-api.ts";

/** The browsers that are logged in to a server, for its admins. */
export interface LoginApi {
  /** Last used first. */
  list(options?: CallOptions): Promise<{ readonly logins: readonly LoginInfo[] }>;
  rename(loginId: string, name: string, options?: CallOptions): Promise<LoginInfo>;
  /** Ends a log-in and its open streams. */
  revoke(loginId: string, options?: CallOptions): Promise<void>;
  /** Ends all log-ins but that of this page. */
  revokeOthers(options?: CallOptions): Promise<void>;
  /** Ends the log-in of this page; the page forgets its key by itself. */
  logOut(options?: CallOptions): Promise<void>;
}

export function createLoginApi(http: Http): LoginApi {
  const path = ["logins"];
  return {
    list: (call) => http.json({ method: "GET", path, ...call }),
    rename: (loginId, name, call) =>
      http.json({ method: "PATCH", path: [...path, loginId], body: { name }, ...call }),
    async revoke(loginId, call) {
      await http.text({ method: "DELETE", path: [...path, loginId], ...call });
    },
    async revokeOthers(call) {
      await http.text({ method: "DELETE", path, ...call });
    },
    async logOut(call) {
      await http.text({ method: "POST", path: ["logout"], ...call });
    },
  };
}
