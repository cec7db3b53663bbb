import { errorText } from "@turnwire/base";
import { type RunOptions, RuntimeError } from "@turnwire/runtime";
import type { Environment } from "../setting/environment.ts";
import type { Position } from "./position.ts";
import { projectsDirectory, transcriptFiles } from "./transcript-file.ts";
import { TranscriptMirror } from "./transcript-mirror.ts";

/** Undefined where the store is this machine's own, and so is the CLI's record. */
export function mirrorFor(
  options: Environment,
  { transcripts: port, cwd = "" }: { readonly cwd?: string } & Pick<RunOptions, "transcripts">,
): TranscriptMirror | undefined {
  return port && new TranscriptMirror({ port, projects: projectsDirectory(options), cwd });
}

interface Resumption {
  readonly run: Pick<RunOptions, "cwd" | "unfinishedTurns" | "conversation">;
  readonly position: Position | undefined;
  readonly mirror: TranscriptMirror | undefined;
}

/**
 * Where the CLI continues, with the record of the conversation where it looks for that. A conversation
 * that was lost before anything of it was recorded starts over, and one whose record is gone everywhere:
 * what was said in it can be repeated.
 * Rejects with a RuntimeError.
 */
export async function prepareResumption(
  options: Environment,
  { run, position, mirror }: Resumption,
): Promise<Position | undefined> {
  if (!position || position.isStart) return position;
  if (mirror) await prepare(mirror, position);
  const files = await transcriptFiles(options, position.sessionId, run.cwd);
  if (await files.isThere()) return position;
  if (run.conversation) return undefined;
  const lost = await run.unfinishedTurns?.();
  return lost?.isWhole === true && lost.inputs.length > 0 ? undefined : position;
}

async function prepare(mirror: TranscriptMirror, { sessionId }: Position): Promise<void> {
  try {
    await mirror.prepare(sessionId);
  } catch (cause) {
    const why = `The record of the Claude session ${sessionId} cannot be read: ${errorText(cause)}`;
    throw new RuntimeError("resume_failed", why, { cause });
  }
}

interface Resumed {
  readonly run: Pick<RunOptions, "cwd">;
  readonly position: Position | undefined;
}

/** What a failed start of a resumed CLI means: with no record of the conversation here, no other try will help. */
export async function resumeProblem(
  error: unknown,
  options: Environment,
  { run, position }: Resumed,
): Promise<unknown> {
  const code = error instanceof RuntimeError ? error.code : undefined;
  const isRefused = code === "resume_failed" || code === "exited";
  if (!position || position.isStart || !isRefused) return error;
  const files = await transcriptFiles(options, position.sessionId, run.cwd);
  if (await files.isThere()) return error;
  return new RuntimeError(
    "conversation_missing",
    `This host could not resume the session: it has no record of the Claude session ${position.sessionId}. It continues on a host that has it.`,
    { cause: error },
  );
}
