import * as z from "zod";

/** A directory that was trusted, as it was then. */
export const TrustRecord = z.object({
  /** Its real path. */
  path: z.string(),
  digest: z.string(),
  trusted_at: z.iso.datetime(),
});
export type TrustRecord = z.infer<typeof TrustRecord>;

/** Where trust outlives the server. */
export interface TrustStore {
  load(): Promise<readonly TrustRecord[]>;
  /** Replaces everything; resolves when it would outlive a crash. */
  save(records: readonly TrustRecord[]): Promise<void>;
}

/** Trust that ends with the process. */
export function createMemoryTrust(): TrustStore {
  let stored: readonly TrustRecord[] = [];
  return {
    load: () => Promise.resolve(stored),
    save: (records) => {
      stored = records;
      return Promise.resolve();
    },
  };
}
