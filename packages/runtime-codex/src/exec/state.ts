import type { ExecTokens } from "./message.ts";

/** What a run's messages have reported so far. */
export interface ExecState {
  readonly threadId: string;
  readonly turnId: string | undefined;
  /** Tools that have started and not ended. */
  readonly openTools: readonly string[];
  /** What the agent said last: the turn's result text. */
  readonly lastText: string;
  /** What the thread had used before this turn; undefined when it was not reported. */
  readonly used: ExecTokens | undefined;
  /** How the process of this turn has ended. */
  readonly exitCode: number | undefined;
}
