import {
  accepted,
  PolicyInfo,
  PolicyQuery,
  PolicyRule,
  PolicyRuleChange,
  PolicyRuleInput,
  type Result,
  validate,
} from "@turnwire/protocol";
import type { SessionHost } from "../../3-host/session-host.ts";
import { json, empty, refused, type Call, type Route } from "@turnwire/wire";

/** The policy in force, and the rules that people add to it. */
export function policyRoutes(host: SessionHost): Route[] {
  const rules = "/policy/rules";
  return [
    {
      method: "GET",
      path: "/policy",
      summary: "What agents may do by policy: modes, files, and a person's own rules",
      access: "read",
      query: PolicyQuery,
      answers: { 200: { description: "The policy in force", schema: PolicyInfo } },
      async handle(call) {
        const directory = await directoryOf(host, call);
        if (!directory.ok) return refused(directory.error);
        return json(200, await host.policy.describe(directory.value, call.principal));
      },
    },
    {
      method: "POST",
      path: rules,
      summary: "Allow something from now on; 200 where a rule says the same already",
      access: "admin",
      body: PolicyRuleInput,
      answers: { 201: { description: "The rule", schema: PolicyRule } },
      async handle(call) {
        const input = await call.readJson();
        if (!input.ok) return refused(input.error);
        const body = validate(PolicyRuleInput, input.value);
        if (!body.ok) return refused(body.error);
        const added = await host.policy.rules.add(body.value, call.principal.id);
        if (!added.ok) return refused(added.error);
        return json(added.value.isNew ? 201 : 200, added.value.rule);
      },
    },
    {
      method: "PATCH",
      path: `${rules}/{rule_id}`,
      summary: "Change a rule; null removes a field",
      access: "admin",
      body: PolicyRuleChange,
      answers: { 200: { description: "The rule", schema: PolicyRule } },
      async handle(call) {
        const input = await call.readJson();
        if (!input.ok) return refused(input.error);
        const body = validate(PolicyRuleChange, input.value);
        if (!body.ok) return refused(body.error);
        const changed = await host.policy.rules.change(call.params["rule_id"] ?? "", body.value);
        return changed.ok ? json(200, changed.value) : refused(changed.error);
      },
    },
    {
      method: "DELETE",
      path: `${rules}/{rule_id}`,
      summary: "Revoke a rule",
      access: "admin",
      answers: { 204: { description: "It holds no more" } },
      async handle(call) {
        const removed = await host.policy.rules.remove(call.params["rule_id"] ?? "");
        return removed.ok ? empty(204) : refused(removed.error);
      },
    },
  ];
}

/** The directory that the query is about, when the principal may see it. */
async function directoryOf(host: SessionHost, call: Call): Promise<Result<string | undefined>> {
  const query = validate(PolicyQuery, Object.fromEntries(call.query));
  if (!query.ok) return query;
  const { session, path } = query.value;
  if (session !== undefined) {
    const opened = await host.openOrRead(session, call.principal);
    return opened.ok ? accepted(opened.value.info().cwd) : opened;
  }
  return path === undefined ? accepted(undefined) : host.projects.admit(path, call.principal);
}
