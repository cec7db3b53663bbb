import {
  canReach,
  type SessionActivity,
  type SessionInfo,
  sessionCursor,
  type SessionList,
  type SessionPosition,
  type SessionStatus,
  type Principal,
} from "@turnwire/protocol";
import type { DamagedRange, SessionRecord, Store } from "@turnwire/log";
import type { Runtime, RuntimeHistory } from "@turnwire/runtime";
import { infoFromRecord } from "../2-session/record/session-record.ts";

export interface SessionQuery {
  readonly principal: Principal;
  readonly limit: number;
  readonly after?: SessionPosition;
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
): Promise<SessionList> {
  const { principal, after, ...filter } = query;
  if (principal.token?.sessionId !== undefined) {
    return onlySession(principal.token.sessionId, query, { store, runtimes, rangeOf });
  }
  const found = await store.listSessions({
    ...filter,
    // One more than is shown reveals whether there is a next page.
    limit: query.limit + 1,
    ...(after && { after: { updatedAt: after.updated_at, sessionId: after.session_id } }),
    ...(!principal.isAdmin && { owner: principal.id }),
  });
  const sessions = found.slice(0, query.limit).map((record) => {
    const range = rangeOf(record.sessionId);
    return infoFromRecord(record, runtimes.get(record.runtime), range && { range });
  });
  const last = found.length > query.limit ? sessions.at(-1) : undefined;
  return { sessions, ...(last && { next: sessionCursor(last) }) };
}

/** The list of a principal whose token is for one session. */
async function onlySession(
  sessionId: string,
  query: SessionQuery,
  { store, runtimes, rangeOf }: ListSource,
): Promise<SessionList> {
  const record = query.after ? undefined : await store.getSession(sessionId);
  if (!record || record.isPartial) return { sessions: [] };
  const range = rangeOf(sessionId);
  const info = infoFromRecord(record, runtimes.get(record.runtime), range && { range });
  const isShown = canReach(query.principal, { id: sessionId, owner: record.owner });
  return { sessions: isShown && fitsQuery(info, query) ? [info] : [] };
}

/** Whether a session has the status and activity that a list is asked for. */
export function fitsQuery(
  info: SessionInfo,
  { status, activity }: Pick<SessionQuery, "status" | "activity">,
): boolean {
  const hasStatus = status === undefined || info.status === status;
  return hasStatus && (activity === undefined || info.activity === activity);
}

const scanPage = 1000;

/** Every session that an agent's own program knows: its id there, also as that program lists it, and here. */
export async function listProviderSessions(
  store: Store,
  histories: ReadonlyMap<string, RuntimeHistory>,
): Promise<ReadonlyMap<string, string>> {
  const known = new Map<string, string>();
  let page: SessionRecord[] = [];
  do {
    const after = page.at(-1);
    page = await store.listSessions({ limit: scanPage, ...(after && { after }) });
    for (const { sessionId, runtime, providerSessionId } of page) {
      if (providerSessionId === undefined) continue;
      const listedId = histories.get(runtime)?.listedId?.(providerSessionId) ?? providerSessionId;
      for (const id of [providerSessionId, listedId]) known.set(id, sessionId);
    }
  } while (page.length === scanPage);
  return known;
}
