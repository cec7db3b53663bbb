import { createHash } from "node:crypto";
import { relative } from "node:path";
import type { CoveredFile } from "../../1-runtime/configuration/scan.ts";

/** Stands for the content of all covered files, seen from a directory. */
export function trustDigest(directory: string, covered: readonly CoveredFile[]): string {
  const lines = covered
    .map(({ path, fingerprint }) => JSON.stringify([relative(directory, path), fingerprint]))
    .toSorted();
  return createHash("sha256").update(lines.join("\n")).digest("hex");
}
