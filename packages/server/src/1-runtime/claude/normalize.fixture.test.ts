import { checkGrammar, eventData } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { fixtureNames, linesFrom, readFixture, Replay } from "./test-support/replay.ts";

describe.each(fixtureNames())("the recorded stream %s", (name) => {
  test("becomes the events that were agreed on", async () => {
    const { drafts } = Replay.of(readFixture(name));
    await expect(linesFrom(drafts)).toMatchFileSnapshot(`./fixtures/${name}.events`);
  });

  test("gives only events that the protocol knows, in its grammar", () => {
    const { log } = Replay.of(readFixture(name));
    for (const { type, data } of log) expect(eventData[type].parse(data)).toEqual(data);
    expect(checkGrammar(log)).toEqual([]);
  });

  test("ends every turn once, and leaves nothing open", () => {
    const messages = readFixture(name);
    const { log, state } = Replay.of(messages);
    const started = log.flatMap((event) => (event.type === "turn_started" ? [event.turn_id] : []));
    const results = log.flatMap((event) => (event.type === "result" ? [event.data.turn_id] : []));
    const done = log.flatMap((event) => (event.type === "done" ? [event.data.turn_id] : []));
    expect(results).toEqual(started);
    expect(done).toEqual(started);
    expect([state.turn, state.messages.size, state.tools.size]).toEqual([undefined, 0, 0]);
  });

  test("keeps the grammar wherever the agent dies", () => {
    const replay = Replay.start();
    for (const message of readFixture(name)) {
      replay.take(message);
      expect(checkGrammar(replay.endNow())).toEqual([]);
    }
  });

  test("says the same twice, and changes no state that it was given", () => {
    const first = Replay.of(readFixture(name));
    expect(Replay.of(readFixture(name)).drafts).toEqual(first.drafts);
  });
});
