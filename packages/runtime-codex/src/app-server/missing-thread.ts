import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { RuntimeError } from "@turnwire/runtime";
import type { CodexOptions } from "../setting/options.ts";

type Place = Pick<CodexOptions, "home" | "url">;

/**
 * What it means that a thread could not be opened: where the home has no file of it, no other try on
 * this host will help. Codex itself refuses everything with one code. An app-server elsewhere has a home
 * that we cannot look into.
 */
export async function threadProblem(
  error: unknown,
  threadId: string | undefined,
  place: Place,
): Promise<unknown> {
  const isRefused = error instanceof RuntimeError && error.code === "resume_failed";
  if (!isRefused || threadId === undefined || place.url !== undefined) return error;
  return (await hasThread(place.home, threadId)) ? error : missingThread(threadId, error);
}

export function missingThread(threadId: string, cause?: unknown): RuntimeError {
  return new RuntimeError(
    "conversation_missing",
    `This host could not resume the session: its CODEX_HOME has no thread ${threadId}. It continues on a host that has it, or with a CODEX_HOME that all hosts share.`,
    { cause },
  );
}

/** Whatever Codex has done with the file: it may be in the archive, or packed. */
export async function hasThread(home: string, threadId: string): Promise<boolean> {
  const lists = await Promise.all(
    ["sessions", "archived_sessions"].map((folder) =>
      readdir(join(home, folder), { recursive: true }).catch((): string[] => []),
    ),
  );
  return lists.flat().some((path) => path.includes(threadId));
}
