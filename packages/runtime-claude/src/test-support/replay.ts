import type { EventDraft } from "@turnwire/protocol";
import { Fixtures, Replay } from "../../../runtime/src/test-support/replay.ts";
import { claudeNormalizer, type ClaudeState } from "../normalize/normalize.ts";
import { state, turnSent } from "./spoken.ts";

export { ofType, typesOf } from "../../../runtime/src/test-support/replay.ts";

export const fixtures = new Fixtures(new URL("../fixtures/", import.meta.url));

/** What the normalizer makes of messages, and the log that a session would make of that. */
export function replayOf(messages: Iterable<unknown>): Replay<ClaudeState> {
  return Replay.of(claudeNormalizer, messages);
}

/** What the messages became, the turn t1 with the input u1 being under way. */
export function events(...messages: readonly unknown[]): readonly EventDraft[] {
  return replayOf([turnSent("t1", "u1"), state("running"), ...messages]).drafts;
}
