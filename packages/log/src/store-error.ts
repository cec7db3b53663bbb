export type StoreErrorCode =
  | "session_exists"
  | "session_unknown"
  | "lease_lost"
  | "not_contiguous"
  | "input_exists"
  | "attachment_unknown"
  | "entry_answered"
  | "locked"
  | "schema_too_new"
  | "corrupt"
  | "damaged"
  | "unavailable";

/** Events that are missing or not what was written, from the first seq to the last. */
export interface DamagedRange {
  readonly first: number;
  readonly last: number;
}

export class StoreError extends Error {
  readonly code: StoreErrorCode;
  /** Of a session's log, with the code `damaged`; undefined when its record is damaged. */
  readonly range?: DamagedRange;
  constructor(
    code: StoreErrorCode,
    message: string,
    options?: { cause?: unknown; range?: DamagedRange },
  ) {
    super(message, options);
    this.name = "StoreError";
    this.code = code;
    if (options?.range) this.range = options.range;
  }
}
