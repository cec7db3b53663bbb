import type { EventDraft, SessionEvent } from "@turnwire/protocol";
import fc from "fast-check";
import {
  done,
  notice,
  permissionAsked,
  permissionResolved,
  placed,
  ready,
  said,
  turnStarted,
} from "./sample-event.ts";

/** Text with characters of one to four bytes and everything that SSE could trip over. */
const text = fc.string({
  unit: fc.constantFrom("a", "ß", "漢", "🎈", "\n", "\r", "\u2028", ":", " ", "data: x", "\n\n"),
  maxLength: 12,
});

const messageId = fc.constantFrom("m1", "m2");

const insideTurn: fc.Arbitrary<EventDraft> = fc.oneof(
  fc.record({
    type: fc.constant("delta" as const),
    data: fc.record({ message_id: messageId, text }),
  }),
  fc.record({
    type: fc.constant("thinking" as const),
    data: fc.record({ message_id: messageId, text }),
  }),
  fc.record({
    type: fc.constant("native" as const),
    data: fc.record({
      source: fc.constant("test"),
      payload: fc.jsonValue() as fc.Arbitrary<string>,
    }),
  }),
  text.map((words) => notice(words)),
);

const request: fc.Arbitrary<EventDraft[]> = fc
  .tuple(fc.uuid(), fc.constantFrom("answered", "expired", "cancelled", "orphaned"))
  .map(([id, outcome]) => [permissionAsked(id), permissionResolved(id, outcome)]);

const turn: fc.Arbitrary<EventDraft[]> = fc
  .tuple(
    fc.uuid(),
    text,
    fc.array(fc.oneof({ weight: 4, arbitrary: insideTurn.map((draft) => [draft]) }, request), {
      maxLength: 12,
    }),
  )
  .map(([id, words, inside]) => [said(words, id), turnStarted(id), ...inside.flat(), done(id)]);

/** A whole log: some turns, the last of them perhaps still running. */
export const logArbitrary: fc.Arbitrary<SessionEvent[]> = fc
  .tuple(fc.array(turn, { maxLength: 4 }), fc.nat({ max: 5 }))
  .map(([turns, missing]) => {
    const drafts = turns.flat();
    return placed([ready, ...drafts.slice(0, drafts.length - missing)]);
  });
