import { createHash } from "node:crypto";

/** Short, and long enough that no two events of a run share one. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}
