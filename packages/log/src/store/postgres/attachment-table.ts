import type { ByteRange, NewAttachment, StoredAttachment } from "../../store.ts";
import { attachmentDamaged, attachmentUnknown } from "../refusal.ts";
import type { Statements } from "./database.ts";

/** Locked, so that whoever deletes the last session with it waits, then finds it in use. */
const lockBlob = "SELECT digest FROM turnwire.blobs WHERE digest = $1 FOR KEY SHARE";
const insertBlob = `
  INSERT INTO turnwire.blobs (digest, size, content) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`;
const insertLink = `
  INSERT INTO turnwire.attachments (session_key, digest, media_type) VALUES ($1, $2, $3)
  ON CONFLICT DO NOTHING`;

/** Adds attachments to a session, in a transaction. */
export async function insertAttachments(
  statements: Statements,
  { sessionId, sessionKey }: { readonly sessionId: string; readonly sessionKey: number },
  attachments: readonly NewAttachment[],
): Promise<void> {
  // In one order for everybody, so that no two wait for each other.
  const sorted = attachments.toSorted((left, right) => (left.digest < right.digest ? -1 : 1));
  for (const { digest, size, mediaType, content } of sorted) {
    let [known] = await statements.run(lockBlob, [digest]);
    if (!known && content) {
      await statements.run(insertBlob, [digest, size, content]);
      [known] = await statements.run(lockBlob, [digest]);
    }
    if (!known) throw attachmentUnknown(sessionId, digest);
    await statements.run(insertLink, [sessionKey, digest, JSON.stringify(mediaType)]);
  }
}

const removeLinks = "DELETE FROM turnwire.attachments WHERE session_key = $1 RETURNING digest";
const lockBlobs = `
  SELECT digest FROM turnwire.blobs WHERE digest = ANY ($1) ORDER BY digest FOR UPDATE`;
const removeBlobs = `
  DELETE FROM turnwire.blobs AS b WHERE b.digest = ANY ($1)
    AND NOT EXISTS (SELECT FROM turnwire.attachments AS a WHERE a.digest = b.digest)`;

/** Removes the attachments of a session, and the bytes that no other session names, in a transaction. */
export async function removeAttachments(statements: Statements, sessionKey: number): Promise<void> {
  const rows = await statements.run<{ digest: string }>(removeLinks, [sessionKey]);
  if (rows.length === 0) return;
  const digests = rows.map((row) => row.digest);
  // Two statements: the second sees what those have committed for whom the first waited.
  await statements.run(lockBlobs, [digests]);
  await statements.run(removeBlobs, [digests]);
}

const selectLink = `
  SELECT b.size, a.media_type FROM turnwire.attachments AS a
  JOIN turnwire.blobs AS b USING (digest)
  WHERE a.session_key = (SELECT session_key FROM turnwire.heads WHERE session_id = $1)
    AND a.digest = $2`;

export async function findAttachment(
  statements: Statements,
  sessionId: string,
  digest: string,
): Promise<StoredAttachment | undefined> {
  type Row = { size: number; media_type: string };
  const [row] = await statements.run<Row>(selectLink, [sessionId, digest]);
  return row && { digest, size: row.size, mediaType: JSON.parse(row.media_type) };
}

/** Bytes that one statement reads. */
const PIECE_BYTES = 4 * 1024 * 1024;
const selectPiece = `
  SELECT substring(content FROM $2::int FOR $3::int) AS piece FROM turnwire.blobs WHERE digest = $1`;

export async function readAttachment(
  statements: Statements,
  place: { readonly sessionId: string; readonly digest: string },
  range?: ByteRange,
): Promise<Uint8Array> {
  const { sessionId, digest } = place;
  const found = await findAttachment(statements, sessionId, digest);
  if (!found) throw attachmentUnknown(sessionId, digest);
  const start = range?.start ?? 0;
  const end = Math.min(range?.end ?? found.size, found.size);
  const bytes = new Uint8Array(Math.max(0, end - start));
  for (let filled = 0; filled < bytes.byteLength;) {
    const size = Math.min(PIECE_BYTES, bytes.byteLength - filled);
    const values = [digest, start + filled + 1, size];
    const [row] = await statements.run<{ piece: Buffer }>(selectPiece, values);
    if (row?.piece.byteLength !== size) throw attachmentDamaged(sessionId, digest);
    bytes.set(row.piece, filled);
    filled += size;
  }
  return bytes;
}
