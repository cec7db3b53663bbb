import { checkGrammar, eventData, JsonObject, type JsonValue } from "@turnwire/protocol";
import { array, assert, boolean, property } from "fast-check";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Normalizer } from "../normalizer.ts";
import { Fixtures, linesFrom, ofType, Replay } from "./replay.ts";

export interface RecordedStreamOptions<State> {
  readonly normalizer: Normalizer<unknown, State>;
  /** The recorded streams, each with the events that were agreed on. */
  readonly folder: URL;
  /** The turn, messages and tools that a state holds open. */
  readonly openIn: (state: State) => readonly unknown[];
  /** The recorded messages, by method or type, that have no other word in the protocol than `native`. */
  readonly strangers?: readonly string[];
  /** The messages that none may be lost of, for the others to make sense; without it none is lost. */
  readonly isFrame?: (message: JsonObject) => boolean;
}

/** The promises of a normalizer, held to streams that were recorded from the real agent. */
export function testRecordedStreams<State>(options: RecordedStreamOptions<State>): void {
  const { normalizer, folder, openIn, strangers = [], isFrame } = options;
  const fixtures = new Fixtures(folder);

  describe.each(fixtures.names())("the recorded stream %s", (name) => {
    const messages = fixtures.read(name);
    const replay = () => Replay.of(normalizer, messages);

    test("becomes the events that were agreed on", async () => {
      const agreed = fileURLToPath(new URL(`${name}.events`, folder));
      await expect(linesFrom(replay().drafts)).toMatchFileSnapshot(agreed);
    });

    test("gives only events that the protocol knows, in its grammar", () => {
      const { log } = replay();
      for (const { type, data } of log) expect(eventData[type].parse(data)).toEqual(data);
      expect(checkGrammar(log)).toEqual([]);
    });

    test("holds no unknown message", () => {
      const natives = ofType(replay().drafts, "native").map(({ data }) => wordOf(data.payload));
      expect(natives.filter((word) => !strangers.includes(word))).toEqual([]);
    });

    test("ends every turn once, and leaves nothing open", () => {
      const { log, state } = replay();
      const started = log.flatMap((event) =>
        event.type === "turn_started" ? [event.turn_id] : [],
      );
      const results = log.flatMap((event) => (event.type === "result" ? [event.data.turn_id] : []));
      const done = log.flatMap((event) => (event.type === "done" ? [event.data.turn_id] : []));
      expect(results).toEqual(started);
      expect(done).toEqual(started);
      expect(openIn(state)).toEqual([]);
    });

    test("keeps the grammar wherever the agent dies", () => {
      const dying = Replay.start(normalizer);
      for (const message of messages) {
        dying.take(message);
        expect(checkGrammar(dying.endNow())).toEqual([]);
      }
    });

    test.skipIf(!isFrame)("keeps the grammar when messages are lost", () => {
      const size = { minLength: messages.length, maxLength: messages.length };
      assert(
        property(array(boolean(), size), (isKept) => {
          const some = messages.filter((message, index) => isKept[index] || isFrame?.(message));
          expect(checkGrammar(Replay.of(normalizer, some).endNow())).toEqual([]);
        }),
        { numRuns: 20 },
      );
    });

    test("says the same twice, and changes no state that it was given", () => {
      expect(replay().drafts).toEqual(replay().drafts);
    });
  });
}

function wordOf(message: JsonValue): string {
  const { method, type } = JsonObject.safeParse(message).data ?? {};
  const word = method ?? type;
  return typeof word === "string" ? word : "";
}
