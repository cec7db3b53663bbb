import * as z from "zod";
import { createMemoryList, type ListStore } from "@turnwire/log/list";

/** A directory that was trusted, as it was then. */
export const TrustRecord = z.object({
  /** Its real path. */
  path: z.string(),
  digest: z.string(),
  trusted_at: z.iso.datetime(),
});
export type TrustRecord = z.infer<typeof TrustRecord>;

/** Where trust outlives the server. */
export type TrustStore = ListStore<TrustRecord>;

/** Trust that ends with the process. */
export function createMemoryTrust(): TrustStore {
  return createMemoryList();
}
