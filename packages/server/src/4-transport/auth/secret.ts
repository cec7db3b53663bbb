import { createHash, timingSafeEqual } from "node:crypto";

/** Compares in a time that reveals nothing, not even the length. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(sha256(given), sha256(expected));
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
