import type { AppendBatch, Store } from "../store.ts";

const nothing = Promise.resolve({ hits: [], isComplete: true });

/** A store whose appends a test can delay or refuse; all else goes straight through. */
export function interceptAppends(
  store: Store,
  append: (batch: AppendBatch, go: () => Promise<void>) => Promise<void>,
): Store {
  return {
    name: store.name,
    createSession: (record, holder, ttlMs) => store.createSession(record, holder, ttlMs),
    acquireLease: (request) => store.acquireLease(request),
    renewLease: (sessionId, generation, ttlMs) => store.renewLease(sessionId, generation, ttlMs),
    releaseLease: (sessionId, generation) => store.releaseLease(sessionId, generation),
    append: (batch) => append(batch, () => store.append(batch)),
    read: (sessionId, after, limit, maxBytes) => store.read(sessionId, after, limit, maxBytes),
    findAttachment: (sessionId, digest) => store.findAttachment(sessionId, digest),
    readAttachment: (sessionId, digest, range) => store.readAttachment(sessionId, digest, range),
    findInput: (sessionId, clientMessageId) => store.findInput(sessionId, clientMessageId),
    getSession: (sessionId) => store.getSession(sessionId),
    listSessions: (filter) => store.listSessions(filter),
    removeSession: (sessionId) => store.removeSession(sessionId),
    deleteSession: (sessionId, generation) => store.deleteSession(sessionId, generation),
    trim: (sessionId, generation, base) => store.trim(sessionId, generation, base),
    readBase: (sessionId) => store.readBase(sessionId),
    ...(store.search && { search: (query) => store.search?.(query) ?? nothing }),
    health: () => store.health(),
    close: () => store.close(),
  };
}
