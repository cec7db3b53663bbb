import type { RuntimeContractOptions } from "@turnwire/conformance";
import { existsSync, rmSync } from "node:fs";

/** A file that a tool makes. */
export function fileEffect(path: string): NonNullable<RuntimeContractOptions["effect"]> {
  return { isThere: () => existsSync(path), remove: () => rmSync(path, { force: true }) };
}
