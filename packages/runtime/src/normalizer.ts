import type { EventDraft } from "@turnwire/protocol";

/** Why a native stream is over. */
export type NativeEnd =
  | { readonly type: "closed" }
  | { readonly type: "died"; readonly message: string; readonly exitCode?: number };

/**
 * Turns one agent's native messages into events, purely: same messages, same events.
 * `step` never throws on foreign input: what it does not know becomes a `native` event.
 */
export interface Normalizer<Native, State> {
  initial(): State;
  step(state: State, message: Native): readonly [State, readonly EventDraft[]];
  /** What is still open when the stream ends: unfinished tools, half a message. */
  end(state: State, end: NativeEnd): readonly EventDraft[];
}
