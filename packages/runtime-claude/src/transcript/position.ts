import { RuntimeError } from "@turnwire/runtime";

/**
 * Where to continue: in a provider session at its end, after one of its messages, or before all of
 * them. The last two are what a rollback leaves until the next turn has made them the end.
 */
export interface Position {
  readonly sessionId: string;
  readonly after?: string;
  readonly isStart?: boolean;
}

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const pattern = new RegExp(`^(${uuid})(?:@(start|${uuid}))?$`);

export function idFromPosition({ sessionId, after, isStart }: Position): string {
  const place = isStart ? "start" : after;
  return place === undefined ? sessionId : `${sessionId}@${place}`;
}

/** Reads an id that we stored; anything else never reaches the CLI or a path. */
export function positionFromId(id: string): Position {
  const position = readPosition(id);
  if (position) return position;
  throw new RuntimeError("resume_failed", `${JSON.stringify(id)} is not a Claude session id.`);
}

export function readPosition(id: string): Position | undefined {
  const [, sessionId, place] = pattern.exec(id) ?? [];
  if (sessionId === undefined) return undefined;
  if (place === undefined) return { sessionId };
  return place === "start" ? { sessionId, isStart: true } : { sessionId, after: place };
}
