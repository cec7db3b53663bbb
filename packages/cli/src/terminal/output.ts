import { once } from "node:events";
import type { Writable } from "node:stream";

/** Writes a line and waits where the reader is slower than we are. */
export async function writeLine(output: Writable, line: string): Promise<void> {
  if (!output.write(`${line}\n`)) await once(output, "drain");
}
