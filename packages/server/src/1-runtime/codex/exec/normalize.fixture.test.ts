import { checkGrammar, eventData } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { Fixtures, linesFrom, Replay } from "../test-support/replay.ts";
import { execNormalizer } from "./normalize.ts";

const fixtures = new Fixtures(new URL("./fixtures/", import.meta.url));

describe.each(fixtures.names())("the recorded stream %s", (name) => {
  const messages = fixtures.read(name);
  const replay = () => Replay.of(execNormalizer, messages);

  test("becomes the events that were agreed on", async () => {
    await expect(linesFrom(replay().drafts)).toMatchFileSnapshot(`./fixtures/${name}.events`);
  });

  test("gives only events that the protocol knows, in its grammar", () => {
    const { log } = replay();
    for (const { type, data } of log) expect(eventData[type].parse(data)).toEqual(data);
    expect(checkGrammar(log)).toEqual([]);
  });

  test("ends every turn once, and leaves nothing open", () => {
    const { log, state } = replay();
    const started = log.flatMap((event) => (event.type === "turn_started" ? [event.turn_id] : []));
    const done = log.flatMap((event) => (event.type === "done" ? [event.data.turn_id] : []));
    expect(done).toEqual(started);
    expect([state.turnId, state.openTools]).toEqual([undefined, []]);
  });

  test("keeps the grammar wherever the process dies", () => {
    const dying = Replay.start(execNormalizer);
    for (const message of messages) {
      dying.take(message);
      expect(checkGrammar(dying.endNow())).toEqual([]);
    }
  });
});
