export { sharedAttachment } from "./bound-event.ts";
export { damagedError, eventFrom } from "./damage.ts";
export { bytesOf } from "./event-page.ts";
export type { CursorVerdict, LogEnd, LogListener, OwnedLog, ReadableLog } from "./readable-log.ts";
export {
  type AppendBatch,
  type BaseState,
  type ByteRange,
  type DamagedRange,
  type Lease,
  type LeaseRequest,
  type NewAttachment,
  type RecordPatch,
  type ListPosition,
  type SessionFilter,
  type SessionRecord,
  type Store,
  type StoredAttachment,
  type StoredEvent,
  type StoredInput,
  StoreError,
  type StoreErrorCode,
  type StoreHealth,
} from "./store.ts";
export { createMemoryStore } from "./store/memory.ts";
export { lockDataDirectory } from "./store/sqlite/data-lock.ts";
export { sqliteVersion } from "./store/sqlite/driver.ts";
export type { ProcessLock } from "./store/sqlite/process-lock.ts";
export { openSqliteStore, type SqliteStoreOptions } from "./store/sqlite/sqlite-store.ts";
export { digestOfContent, jsonBytes, valueFromContent } from "./stored-part.ts";
export type { SearchHit, SearchPage, SearchQuery, SnippetPart } from "./search/search.ts";
