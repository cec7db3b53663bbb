export { sharedAttachment } from "./bound-event.ts";
export { damagedError, eventFrom } from "./damage.ts";
export { bytesOf } from "./event-page.ts";
export { FollowedLog, type FollowedLogOptions } from "./followed-log.ts";
export type { HostDescription, HostRecord, HostRegistry, OrphanQuery } from "./host-registry.ts";
export type { Inbox, InboxAnswer, InboxEntry } from "./inbox.ts";
export type { CursorVerdict, LogEnd, LogListener, OwnedLog, ReadableLog } from "./readable-log.ts";
export { type AttachmentSource, restoreEvent, restoreValue } from "./restore-event.ts";
export type { RecordPatch, ListPosition, SessionFilter, SessionRecord } from "./session-record.ts";
export type {
  AppendBatch,
  BaseState,
  ByteRange,
  Lease,
  LeaseRequest,
  NewAttachment,
  Store,
  StoredAttachment,
  StoredEvent,
  StoredInput,
  StoreHealth,
} from "./store.ts";
export { type DamagedRange, StoreError, type StoreErrorCode } from "./store-error.ts";
export { createMemoryStore, type MemoryStoreOptions } from "./store/memory.ts";
export { lockDataDirectory } from "./store/sqlite/data-lock.ts";
export { sqliteVersion } from "./store/sqlite/driver.ts";
export type { ProcessLock } from "./store/sqlite/process-lock.ts";
export { openSqliteStore, type SqliteStoreOptions } from "./store/sqlite/sqlite-store.ts";
export { jsonBytes } from "./stored-part.ts";
export type { SearchHit, SearchPage, SearchQuery, SnippetPart } from "./search/search.ts";
export type { Counted, SharedValues, Slot } from "./shared-values.ts";
export type { StoreHint, StoreHints } from "./store-hint.ts";
export type { TranscriptKey, TranscriptLease, TranscriptLine, Transcripts } from "./transcripts.ts";
