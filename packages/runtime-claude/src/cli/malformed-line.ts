/** Where a line that is not JSON names its conversation, as front ends of relays look for it too. */
const SESSION_ID = /session(?:_id|Id)?(?:["'=\s:]+)([a-z0-9._-]{8,})/i;
const INIT = /\[(?:init|system\/init)\]|\bsubtype["'=\s:]+init\b/i;
const CWD = /"cwd"\s*:\s*("(?:[^"\\]|\\.)*")/;
/** The ids stand at the beginning of a line, or at its end: a long one is not searched whole. */
const SEARCHED = 4096;

/** What can still be read of a line that is not JSON. */
export interface MalformedLine {
  readonly sessionId: string | undefined;
  /** Whether a conversation begins with it. */
  readonly isInit: boolean;
  readonly cwd: string | undefined;
}

/** Reads what a line says that was cut, or is not JSON for another reason. */
export function readMalformed(line: string): MalformedLine {
  const text =
    line.length <= 2 * SEARCHED ? line : `${line.slice(0, SEARCHED)}\n${line.slice(-SEARCHED)}`;
  return {
    sessionId: SESSION_ID.exec(text)?.[1],
    isInit: INIT.test(text),
    cwd: cwdIn(text),
  };
}

function cwdIn(text: string): string | undefined {
  const [, quoted] = CWD.exec(text) ?? [];
  if (quoted === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === "string" && value !== "" ? value : undefined;
  } catch {
    return undefined;
  }
}
