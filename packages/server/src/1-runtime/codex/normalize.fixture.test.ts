import { checkGrammar, eventData } from "@turnwire/protocol";
import { array, assert, boolean, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { codexNormalizer } from "./normalize.ts";
import { Fixtures, linesFrom, Replay } from "./test-support/replay.ts";

/** A session sends no turn before the one before it has ended. */
const frame = /^"(turnwire\/.*|turn\/completed)"$/;
const fixtures = new Fixtures(new URL("./fixtures/", import.meta.url));

describe.each(fixtures.names())("the recorded stream %s", (name) => {
  const messages = fixtures.read(name);
  const replay = () => Replay.of(codexNormalizer, messages);

  test("becomes the events that were agreed on", async () => {
    await expect(linesFrom(replay().drafts)).toMatchFileSnapshot(`./fixtures/${name}.events`);
  });

  test("gives only events that the protocol knows, in its grammar", () => {
    const { log } = replay();
    for (const { type, data } of log) expect(eventData[type].parse(data)).toEqual(data);
    expect(checkGrammar(log)).toEqual([]);
  });

  test("holds no message that nobody knows", () => {
    expect(replay().drafts.filter(({ type }) => type === "native")).toEqual([]);
  });

  test("ends every turn once, and leaves nothing open", () => {
    const { log, state } = replay();
    const started = log.flatMap((event) => (event.type === "turn_started" ? [event.turn_id] : []));
    const results = log.flatMap((event) => (event.type === "result" ? [event.data.turn_id] : []));
    const done = log.flatMap((event) => (event.type === "done" ? [event.data.turn_id] : []));
    expect(results).toEqual(started);
    expect(done).toEqual(started);
    expect([state.turn, state.speeches.size, state.tools.size, state.early.size]).toEqual([
      undefined,
      0,
      0,
      0,
    ]);
  });

  test("keeps the grammar wherever the agent dies", () => {
    const dying = Replay.start(codexNormalizer);
    for (const message of messages) {
      dying.take(message);
      expect(checkGrammar(dying.endNow())).toEqual([]);
    }
  });

  test("keeps the grammar when messages are lost", () => {
    const kept = array(boolean(), {
      minLength: messages.length,
      maxLength: messages.length,
    });
    assert(
      property(kept, (isKept) => {
        const some = messages.filter(
          (message, index) => isKept[index] || frame.test(JSON.stringify(message["method"])),
        );
        expect(checkGrammar(Replay.of(codexNormalizer, some).endNow())).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  test("says the same twice, and changes no state that it was given", () => {
    expect(replay().drafts).toEqual(replay().drafts);
  });
});
