import * as z from "zod";
import {
  limits,
  accepted,
  rejected,
  type Result,
  SessionActivity,
  sessionPositionFrom,
  SessionStatus,
  validate,
} from "@turnwire/protocol";
import type { SessionQuery } from "../../3-host/session-list.ts";
import type { Call } from "@turnwire/wire";

export const ListQuery = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(limits.sessionPageMax)
    .default(limits.sessionPageDefault),
  after: z.string().min(1).max(300).optional(),
  status: SessionStatus.optional(),
  activity: SessionActivity.optional(),
});

/** Which sessions somebody asks for. */
export function listQueryFrom(call: Pick<Call, "query" | "principal">): Result<SessionQuery> {
  const query = validate(ListQuery, Object.fromEntries(call.query));
  if (!query.ok) return query;
  const { limit, after: cursor, status, activity } = query.value;
  const after = cursor === undefined ? undefined : sessionPositionFrom(cursor);
  if (cursor !== undefined && after === undefined) {
    return rejected("invalid_cursor", `${JSON.stringify(cursor)} is not the \`next\` of a page.`);
  }
  return accepted({
    principal: call.principal,
    limit,
    ...(after !== undefined && { after }),
    ...(status !== undefined && { status }),
    ...(activity !== undefined && { activity }),
  });
}
