import type { NewAttachment, StoredAttachment } from "../../store.ts";
import { attachmentUnknown } from "../refusal.ts";
import type { Database } from "./driver.ts";

/** Bytes of a row: about 1 ms to read, so a part of a large attachment never costs much more. */
export const CHUNK_BYTES = 256 * 1024;

/** Where an attachment's bytes are. */
export interface FoundAttachment extends StoredAttachment {
  readonly blobKey: number;
}

/** Writes attachments: each blob once, and which sessions name it. Called inside the writer's transactions. */
export class AttachmentWriter {
  readonly #blobKey;
  readonly #insertBlob;
  readonly #insertChunk;
  readonly #insertLink;
  readonly #firstLink;
  readonly #deleteLink;
  readonly #otherLink;
  readonly #deleteChunks;
  readonly #deleteBlob;

  constructor(database: Database) {
    this.#blobKey = database.prepare("SELECT blob_key FROM blobs WHERE digest = ?");
    this.#insertBlob = database.prepare("INSERT INTO blobs (digest, size) VALUES (?, ?)");
    this.#insertChunk = database.prepare("INSERT INTO blob_chunks VALUES (?, ?, ?)");
    this.#insertLink = database.prepare("INSERT OR IGNORE INTO attachments VALUES (?, ?, ?)");
    this.#firstLink = database.prepare(
      "SELECT blob_key FROM attachments WHERE session_key = ? LIMIT 1",
    );
    this.#deleteLink = database.prepare(
      "DELETE FROM attachments WHERE session_key = ? AND blob_key = ?",
    );
    this.#otherLink = database.prepare("SELECT 1 FROM attachments WHERE blob_key = ? LIMIT 1");
    this.#deleteChunks = database.prepare("DELETE FROM blob_chunks WHERE blob_key = ?");
    this.#deleteBlob = database.prepare("DELETE FROM blobs WHERE blob_key = ?");
  }

  /** Refuses what shares bytes that are not there; to be called before anything is written. */
  check(sessionId: string, attachments: readonly NewAttachment[]): void {
    for (const { digest, content } of attachments) {
      if (content === undefined && this.#find(digest) === undefined) {
        throw attachmentUnknown(sessionId, digest);
      }
    }
  }

  insert(sessionKey: number, attachments: readonly NewAttachment[]): void {
    for (const { digest, size, mediaType, content } of attachments) {
      const known = this.#find(digest);
      const blobKey = known ?? this.#insert(digest, size);
      if (known === undefined && content) this.#insertContent(blobKey, content);
      this.#insertLink.run(sessionKey, blobKey, mediaType);
    }
  }

  /** Removes one attachment of a deleted session, and its bytes unless another session names them; false when none is left. */
  removeOne(sessionKey: number): boolean {
    const [row] = this.#firstLink.all(sessionKey);
    if (!row) return false;
    const blobKey = Number(row[0]);
    this.#deleteLink.run(sessionKey, blobKey);
    if (this.#otherLink.all(blobKey).length === 0) {
      this.#deleteChunks.run(blobKey);
      this.#deleteBlob.run(blobKey);
    }
    return true;
  }

  #find(digest: string): number | undefined {
    const [row] = this.#blobKey.all(digest);
    return row && Number(row[0]);
  }

  #insert(digest: string, size: number): number {
    this.#insertBlob.run(digest, size);
    return this.#find(digest) ?? 0;
  }

  #insertContent(blobKey: number, content: Uint8Array): void {
    for (let start = 0; start < content.byteLength; start += CHUNK_BYTES) {
      const chunk = content.subarray(start, start + CHUNK_BYTES);
      this.#insertChunk.run(blobKey, start / CHUNK_BYTES, chunk);
    }
  }
}

/** Reads attachments through the reader's connection. */
export class AttachmentReader {
  readonly #attachment;
  readonly #chunk;

  constructor(database: Database) {
    this.#attachment = database.prepare(
      `SELECT blob_key, size, media_type FROM attachments
       JOIN sessions USING (session_key) JOIN blobs USING (blob_key)
       WHERE session_id = ? AND digest = ?`,
    );
    this.#chunk = database.prepare(
      "SELECT bytes FROM blob_chunks WHERE blob_key = ? AND position = ?",
    );
  }

  find(sessionId: string, digest: string): FoundAttachment | undefined {
    const [row] = this.#attachment.all(sessionId, digest);
    if (!row) return undefined;
    return { blobKey: Number(row[0]), digest, size: Number(row[1]), mediaType: String(row[2]) };
  }

  /** The bytes of one row; undefined when it is not there. */
  chunk(blobKey: number, position: number): Uint8Array | undefined {
    const bytes = this.#chunk.all(blobKey, position)[0]?.[0];
    return bytes instanceof Uint8Array ? bytes : undefined;
  }
}
