import type { NewAttachment, StoredAttachment } from "../store.ts";
import { attachmentUnknown } from "./refusal.ts";

/** The bytes of an attachment, shared by all sessions that name it. */
interface Blob {
  readonly content: Uint8Array;
  sessions: number;
}

/** The attachments of all sessions of a memory store. */
export class MemoryBlobs {
  readonly #blobs = new Map<string, Blob>();

  /** Why a session cannot get attachments, or undefined when it can. */
  refusal(sessionId: string, attachments: readonly NewAttachment[]) {
    const unknown = attachments.find(
      ({ digest, content }) => content === undefined && !this.#blobs.has(digest),
    );
    return unknown && attachmentUnknown(sessionId, unknown.digest);
  }

  /** Adds one to those that a session has. */
  add(attachments: Map<string, StoredAttachment>, { content, ...attachment }: NewAttachment): void {
    const { digest } = attachment;
    if (attachments.has(digest)) return;
    attachments.set(digest, Object.freeze(attachment));
    const blob = this.#blobs.get(digest) ?? { content: new Uint8Array(content ?? []), sessions: 0 };
    blob.sessions += 1;
    this.#blobs.set(digest, blob);
  }

  read(digest: string): Uint8Array | undefined {
    return this.#blobs.get(digest)?.content;
  }

  /** A session that named these is gone. */
  release(digests: Iterable<string>): void {
    for (const digest of digests) {
      const blob = this.#blobs.get(digest);
      if (blob && --blob.sessions === 0) this.#blobs.delete(digest);
    }
  }

  clear(): void {
    this.#blobs.clear();
  }
}
