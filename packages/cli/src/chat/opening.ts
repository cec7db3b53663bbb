import type { Session } from "@turnwire/client";
import { containmentProblem, type SessionState } from "@turnwire/protocol";
import type { Format } from "../terminal/format.ts";
import { safeLine } from "../terminal/safe-text.ts";
import { wrap } from "../terminal/wrap.ts";
import { Transcript } from "./transcript.ts";

/** How many messages of an old session are shown when it is opened. */
const SHOWN_MESSAGES = 20;

/** A session on the screen: what it is, and how far it has been printed. */
export interface Opening {
  readonly transcript: Transcript;
  /** To be printed above the conversation. */
  readonly lines: readonly string[];
}

function titleLines({ session }: SessionState, format: Format): string[] {
  const facts = [session.runtime, session.model, session.cwd, session.session_id];
  const shown = facts.filter((fact) => fact !== undefined).map(safeLine);
  const title =
    session.title === undefined ? "" : `${format.colors.bold(safeLine(session.title))}  `;
  return wrap(`${title}${format.colors.dim(shown.join(" · "))}`, format.width);
}

/** A policy mode with one wall instead of two: whoever relies on it needs to know. */
function containmentLines({ session }: SessionState, format: Format): string[] {
  const problem = containmentProblem(session);
  if (problem === undefined) return [];
  const text = `Commands run without containment, so the policy mode ${session.policy_mode} asks about all but plain ones: ${problem}`;
  return wrap(format.colors.yellow(safeLine(text)), format.width);
}

/** Waits until a session is there, and begins its transcript with its newest messages. */
export async function openTranscript(session: Session, format: Format): Promise<Opening> {
  const view = await session.waitFor(({ connection }) => connection.status === "live");
  const transcript = new Transcript();
  const skipped = transcript.skipAllBut(SHOWN_MESSAGES, view.session);
  const earlier = `… ${skipped} earlier messages: turnwire tail ${session.id} --no-follow`;
  return {
    transcript,
    lines: [
      ...titleLines(view.session, format),
      ...containmentLines(view.session, format),
      ...(skipped > 0 ? [format.colors.dim(earlier)] : []),
      "",
    ],
  };
}
