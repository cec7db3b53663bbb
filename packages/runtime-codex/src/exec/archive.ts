import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { RuntimeError } from "@turnwire/runtime";
import { codexBinary } from "../setting/binary.ts";
import { codexEnvironment } from "../setting/environment.ts";
import type { CodexOptions } from "../setting/options.ts";

const run = promisify(execFile);

/** How long Codex may take to move a thread. */
const timeoutMs = 30_000;

/** Moves a thread into Codex's archive or out of it, by its own program. */
export async function setArchived(
  options: CodexOptions,
  threadId: string,
  isArchived: boolean,
): Promise<void> {
  const word = isArchived ? "archive" : "unarchive";
  const place = { env: codexEnvironment(options), timeout: timeoutMs };
  try {
    await run(codexBinary(options.executable), [word, threadId], place);
  } catch (cause) {
    throw new RuntimeError("protocol", `Codex could not ${word} the thread ${threadId}.`, {
      cause,
    });
  }
}
