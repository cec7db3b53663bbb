import * as z from "zod";
import { AuditPage, validate, wireError } from "@turnwire/protocol";
import { json, refused, type Route } from "@turnwire/wire";
import type { SessionHost } from "../../3-host/session-host.ts";

const AuditQuery = z.object({
  after: z.coerce.number().int().min(0).default(0).describe("The last `seq` that is known."),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
});

/** The acts of people, and whether the record of them is whole. */
export function auditRoute(host: SessionHost): Route {
  return {
    method: "GET",
    path: "/audit",
    summary: "Read the audit log, and check that no line was removed or changed",
    access: "admin",
    query: AuditQuery,
    answers: { 200: { description: "Entries in order", schema: AuditPage } },
    async handle(call) {
      const query = validate(AuditQuery, Object.fromEntries(call.query));
      if (!query.ok) return refused(query.error);
      const audit = await host.readAudit();
      if (!audit) return refused(wireError("not_found", "This server keeps no audit log."));
      const later = audit.entries.filter(({ seq }) => seq > query.value.after);
      return json(200, {
        entries: later.slice(0, query.value.limit),
        has_more: later.length > query.value.limit,
        ...(audit.problem !== undefined && { problem: audit.problem }),
      });
    },
  };
}
