import {
  accepted,
  rejected,
  type Result,
  type SessionActivity,
  type SessionList,
  type SessionStatus,
} from "@turnwire/protocol";
import { type DamagedRange, type Store, StoreError } from "@turnwire/log";
import type { Runtime } from "../1-runtime/runtime.ts";
import type { Principal } from "./principal.ts";
import { infoFromRecord } from "./session-record.ts";

export interface SessionQuery {
  readonly principal: Principal;
  readonly limit: number;
  readonly after?: string;
  readonly status?: SessionStatus;
  readonly activity?: SessionActivity;
}

export interface ListSource {
  readonly store: Store;
  readonly runtimes: ReadonlyMap<string, Runtime>;
  /** The events of a session that are known to be damaged. */
  readonly rangeOf: (sessionId: string) => DamagedRange | undefined;
}

/** A page of the sessions that a principal may see, newest update first. */
export async function listSessions(
  query: SessionQuery,
  { store, runtimes, rangeOf }: ListSource,
): Promise<Result<SessionList>> {
  const { principal, ...filter } = query;
  try {
    const found = await store.listSessions({
      ...filter,
      // One more than is shown tells whether there is a next page.
      limit: query.limit + 1,
      ...(!principal.isAdmin && { owner: principal.id }),
    });
    const records = found.slice(0, query.limit);
    const last = found.length > query.limit ? records.at(-1) : undefined;
    return accepted({
      sessions: records.map((record) => {
        const range = rangeOf(record.sessionId);
        return infoFromRecord(record, runtimes.get(record.runtime), range && { range });
      }),
      ...(last && { next: last.sessionId }),
    });
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "session_unknown") throw error;
    return rejected("invalid_cursor", `There is no session ${query.after ?? ""} to list after.`);
  }
}
