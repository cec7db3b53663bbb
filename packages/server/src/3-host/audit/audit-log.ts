import type { JsonObject } from "@turnwire/protocol";

/** An act as it is reported; time, place and hashes are the log's. */
export interface AuditAct {
  readonly action: string;
  readonly outcome: string;
  readonly principal?: string | undefined;
  readonly address?: string | undefined;
  readonly session_id?: string | undefined;
  readonly details?: JsonObject;
}

/** Where acts are recorded that an admin may want to know of later. */
export interface AuditLog {
  /** Resolves when it would outlive a crash; rejects where it cannot be written. */
  record(act: AuditAct): Promise<void>;
  /** The text of all entries, one JSON object per line, and of the mark that names the last of them. */
  read(): Promise<AuditText>;
}

export interface AuditText {
  readonly lines: string;
  readonly mark: string | undefined;
}
