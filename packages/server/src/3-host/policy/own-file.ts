import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";
import { errorText } from "@turnwire/base";
import type { LayerContent } from "./policy-layer.ts";

const maxFileBytes = 1024 * 1024;

/** The server's own policy file. */
export class OwnPolicyFile {
  readonly path: string;
  #signature: string | undefined;
  #content: LayerContent | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /** What it says now, the same object while it does not change; undefined where there is none. */
  read(): LayerContent | undefined {
    const signature = signatureOf(this.path);
    if (signature !== this.#signature) {
      this.#signature = signature;
      this.#content = signature === undefined ? undefined : contentOf(this.path);
    }
    return this.#content;
  }
}

function signatureOf(path: string): string | undefined {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (!stats) return undefined;
    const { dev, ino, size, mode, mtimeNs, ctimeNs } = stats;
    return [dev, ino, size, mode, mtimeNs, ctimeNs].join(":");
  } catch (error) {
    return `unread: ${errorText(error)}`;
  }
}

function contentOf(path: string): LayerContent | undefined {
  try {
    const text = readText(path);
    return text === undefined ? undefined : contentFrom(text);
  } catch (error) {
    return { type: "unread", problem: `it cannot be read (${errorText(error)})` };
  }
}

/** What the text of a policy file says. */
export function contentFrom(text: string): LayerContent {
  try {
    return { type: "data", data: JSON.parse(text) };
  } catch (error) {
    return { type: "text", text, problem: `it is not JSON (${errorText(error)})` };
  }
}

/** Undefined where it has gone meanwhile. */
function readText(path: string): string | undefined {
  let file: number;
  try {
    // A pipe without a writer must not hold the server.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error("not a regular file");
    const bytes = Buffer.alloc(maxFileBytes + 1);
    let length = 0;
    for (;;) {
      const count = readSync(file, bytes, length, bytes.length - length, null);
      length += count;
      if (count === 0) break;
      if (length > maxFileBytes) throw new Error(`larger than ${maxFileBytes / 1024} KiB`);
    }
    return bytes.toString("utf8", 0, length);
  } finally {
    closeSync(file);
  }
}
