import type { PolicyInfo, PolicyQuery, PolicyRule, WrittenPolicyRule } from "@turnwire/protocol";
import type { Http } from "../5-connection/http.ts";
import type { CallOptions } from "./session-api.ts";

/** The policy for agents, and a person's own rules. */
export interface PolicyApi {
  /** The policy where a session or a directory is; without one, what holds everywhere. */
  get(query?: PolicyQuery, options?: CallOptions): Promise<PolicyInfo>;
  /** Allows something from now on; for admins. The same rule again is the one that is there. */
  addRule(rule: WrittenPolicyRule, options?: CallOptions): Promise<PolicyRule>;
  /** Changes fields of a rule; null removes one. */
  changeRule(
    id: string,
    change: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<PolicyRule>;
  /** Revokes a rule. */
  removeRule(id: string, options?: CallOptions): Promise<void>;
}

export function createPolicyApi(http: Http): PolicyApi {
  const path = ["policy", "rules"];
  return {
    get: (query, call) =>
      http.json({ method: "GET", path: ["policy"], query: { ...query }, ...call }),
    addRule: (rule, call) => http.json({ method: "POST", path, body: rule, ...call }),
    changeRule: (id, change, call) =>
      http.json({ method: "PATCH", path: [...path, id], body: change, ...call }),
    async removeRule(id, call) {
      await http.text({ method: "DELETE", path: [...path, id], ...call });
    },
  };
}
