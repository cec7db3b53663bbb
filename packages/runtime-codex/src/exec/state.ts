import type { ExecTokens } from "./message.ts";

/** The facts that a run's messages have reported so far. */
export interface ExecState {
  readonly threadId: string;
  readonly turnId: string | undefined;
  /** Tools that have started and not ended. */
  readonly openTools: readonly string[];
  /** The last words of the agent: the turn's result text. */
  readonly lastText: string;
  /** The usage of the thread before this turn; undefined when it was not reported. */
  readonly used: ExecTokens | undefined;
  /** How the process of this turn has ended. */
  readonly exitCode: number | undefined;
}
