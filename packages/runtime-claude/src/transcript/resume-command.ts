import { shellWord } from "@turnwire/runtime/process";
import { readPosition } from "./position.ts";

/** The CLI finds a session only from the directory that it began in. */
export function resumeCommand(place: {
  readonly providerSessionId: string;
  readonly cwd?: string;
}): string | undefined {
  const position = readPosition(place.providerSessionId);
  // After a rollback the CLI would still continue with what was undone, until the next turn.
  if (!position || position.isStart || position.after !== undefined) return undefined;
  const line = `claude --resume ${position.sessionId}`;
  return place.cwd === undefined ? line : `cd ${shellWord(place.cwd)} && ${line}`;
}
