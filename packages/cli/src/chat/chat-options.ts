import type { TurnwireClient } from "@turnwire/client";
import type { Context } from "../program/context.ts";
import type { NewSession } from "../session/session-selection.ts";

/** What a chat works with. */
export interface ChatOptions extends Pick<
  Context,
  "stdin" | "stdout" | "stderr" | "env" | "onSignal"
> {
  readonly client: TurnwireClient;
  /** The session to begin with. */
  readonly sessionId: string;
  /** What a further session is made like. */
  readonly newSession: NewSession;
  /** The server ends with the chat, so what is open then stays unanswered. */
  readonly isServerOwn: boolean;
}
