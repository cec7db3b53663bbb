import * as z from "zod";
import { readMalformed } from "./malformed-line.ts";

/** A line as JSON; what is none stays as it is. */
export function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

const Head = z.object({
  type: z.string(),
  subtype: z.string().optional(),
  session_id: z.string().optional(),
});

/**
 * The provider session that a message names. Only at its top: what tools say may contain anything. Of a line
 * that is not JSON, only where none is known yet or one begins.
 */
export function sessionIdOf(message: unknown, known: string | undefined): string | undefined {
  const id =
    typeof message === "string"
      ? sessionIdIn(message, known)
      : Head.safeParse(message).data?.session_id;
  return id !== undefined && idPattern.test(id) ? id : undefined;
}

function sessionIdIn(line: string, known: string | undefined): string | undefined {
  const { sessionId, isInit } = readMalformed(line);
  return known === undefined || isInit ? sessionId : undefined;
}

const idPattern = /^[\w.-]{1,128}$/;

const Init = z.object({
  type: z.literal("system"),
  subtype: z.literal("init"),
  cwd: z.string().min(1).optional(),
});

/** The beginning of a turn, with where the CLI works, if it states it. */
export function initFrom(message: unknown): { readonly cwd?: string | undefined } | undefined {
  if (typeof message !== "string") return Init.safeParse(message).data;
  const { isInit, cwd } = readMalformed(message);
  return isInit ? { cwd } : undefined;
}

const ofTurns: ReadonlySet<unknown> = new Set(["assistant", "result", "stream_event"]);

/** Whether a message comes after the beginning of a turn. */
export function isOfTurn(message: unknown): boolean {
  return ofTurns.has(Head.safeParse(message).data?.type);
}
