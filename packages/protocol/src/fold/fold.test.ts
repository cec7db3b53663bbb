import { isDeepStrictEqual } from "node:util";
import { eventLogArbitrary } from "@turnwire/conformance/event-log-arbitrary";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Block,
  fold,
  foldAll,
  foldControl,
  initialControl,
  initialState,
  type SessionEvent,
  type SessionState,
} from "../index.ts";
import { partText } from "../state/complete-message.ts";
import { activityFrom, idle } from "./activity.ts";
import { begun, blocksOf, delta, done, logOf, started, stateAfter } from "../test-support/log.ts";

const logs = eventLogArbitrary();

function statesOf(events: readonly SessionEvent[]): SessionState[] {
  const states = [initialState()];
  for (const event of events) states.push(fold(states.at(-1) ?? initialState(), event));
  return states;
}

function cutsOf(events: readonly SessionEvent[], sizes: readonly number[]): SessionEvent[][] {
  const batches: SessionEvent[][] = [];
  let start = 0;
  for (const size of sizes) {
    batches.push(events.slice(start, start + size));
    start += size;
  }
  return [...batches, events.slice(start)];
}

function everyBlock(blocks: readonly Block[]): Block[] {
  return blocks.flatMap((block) =>
    block.type === "subagent" ? [block, ...everyBlock(block.blocks)] : [block],
  );
}

function blocksIn(state: SessionState): Block[] {
  return state.messages.flatMap((m) => (m.role === "agent" ? everyBlock(m.blocks) : []));
}

describe("the fold of any grammatical log", () => {
  test("is the same live and replayed, for every prefix", () => {
    fc.assert(
      fc.property(logs, (events) => {
        for (const [length, state] of statesOf(events).entries()) {
          expect(isDeepStrictEqual(foldAll(initialState(), events.slice(0, length)), state)).toBe(
            true,
          );
        }
      }),
    );
  });

  test("is the same in batches of any size", () => {
    fc.assert(
      fc.property(logs, fc.array(fc.nat(20)), (events, sizes) => {
        const batched = cutsOf(events, sizes).reduce(foldAll, initialState());
        expect(isDeepStrictEqual(batched, events.reduce(fold, initialState()))).toBe(true);
      }),
    );
  });

  test("is the same for an event by itself and for a batch of that one", () => {
    fc.assert(
      fc.property(logs, (events) => {
        const states = statesOf(events);
        for (const [index, event] of events.entries()) {
          const before = states[index] ?? initialState();
          expect(isDeepStrictEqual(foldAll(before, [event]), states[index + 1])).toBe(true);
        }
      }),
    );
  });

  test("is the same after any state went through JSON", () => {
    fc.assert(
      fc.property(logs, fc.nat(100), (events, cut) => {
        const stored: SessionState = JSON.parse(
          JSON.stringify(foldAll(initialState(), events.slice(0, cut))),
        );
        const restored: SessionEvent[] = JSON.parse(JSON.stringify(events.slice(cut)));
        expect(isDeepStrictEqual(foldAll(stored, restored), foldAll(initialState(), events))).toBe(
          true,
        );
      }),
    );
  });

  test("counts each event once, however often it comes", () => {
    fc.assert(
      fc.property(logs, fc.array(fc.nat(60)), (events, again) => {
        const state = foldAll(initialState(), events);
        const repeated = again.flatMap((index) => events.slice(index, index + 3));
        expect(foldAll(state, repeated)).toBe(state);
        for (const event of repeated) expect(fold(state, event)).toBe(state);
        const doubled = events.flatMap((event) => [event, event, ...events.slice(0, 2)]);
        expect(isDeepStrictEqual(foldAll(initialState(), doubled), state)).toBe(true);
      }),
    );
  });

  test("never changes a state it has given out", () => {
    fc.assert(
      fc.property(logs, fc.nat(60), (events, cut) => {
        const state = foldAll(initialState(), events.slice(0, cut));
        const before: SessionState = JSON.parse(JSON.stringify(state));
        foldAll(state, events.slice(cut));
        expect(isDeepStrictEqual(state, before)).toBe(true);
      }),
    );
  });

  test("holds the very control that the server decides by", () => {
    fc.assert(
      fc.property(logs, (events) => {
        const control = events.reduce(foldControl, initialControl());
        const state = events.reduce(fold, initialState());
        const { messages, activity, surfaces, tasks, mcp, usage, rate_limits, context, ...held } =
          state;
        expect(isDeepStrictEqual(held, control)).toBe(true);
      }),
    );
  });

  test("gives every block a key of its own that stays", () => {
    fc.assert(
      fc.property(logs, (events) => {
        const typesByKey = new Map<string, Set<string>>();
        for (const state of statesOf(events)) {
          const keys = blocksIn(state).map((block) => block.key);
          expect(new Set(keys).size).toBe(keys.length);
          for (const { key, type } of blocksIn(state)) {
            typesByKey.set(key, (typesByKey.get(key) ?? new Set()).add(type));
          }
        }
        const changing = [...typesByKey.values()].filter((types) => types.size > 1);
        for (const types of changing) expect([...types]).toEqual(["tool", "subagent"]);
      }),
    );
  });

  test("says what the session does as if it were worked out from nothing", () => {
    fc.assert(
      fc.property(logs, (events) => {
        for (const state of statesOf(events)) {
          expect(state.activity).toEqual(activityFrom(state, state.messages, idle));
        }
      }),
    );
  });

  test("leaves nothing of an ended turn running or being thought", () => {
    fc.assert(
      fc.property(eventLogArbitrary(), (events) => {
        for (const [index, event] of events.entries()) {
          if (event.type !== "done") continue;
          const state = foldAll(initialState(), events.slice(0, index + 1));
          const ended = state.messages.filter((m) => m.turn_id === event.data.turn_id);
          for (const block of ended.flatMap((m) =>
            m.role === "agent" ? everyBlock(m.blocks) : [],
          )) {
            expect(block).not.toMatchObject({ status: "running" });
            expect(block).not.toMatchObject({ status: "preparing" });
            expect(block).not.toMatchObject({ type: "thinking", done: false });
          }
        }
      }),
    );
  });

  test("has a completed message's text once and whole", () => {
    fc.assert(
      fc.property(logs, (events) => {
        const isRolledBack = events.some((event) => event.type === "rolled_back");
        fc.pre(!isRolledBack);
        const blocks = blocksIn(foldAll(initialState(), events));
        for (const event of events) {
          if (event.type !== "message_complete") continue;
          const { message_id, message } = event.data;
          const reported = blocks.filter((b) => b.type === "text" && b.message_id === message_id);
          const text = reported.map((b) => (b.type === "text" ? b.text : "")).join("");
          expect(text).toBe(message.content.map(partText).join(""));
        }
      }),
    );
  });
});

describe("an event", () => {
  test("of an unknown type only moves the seq", () => {
    const state = stateAfter(delta("hello"));
    const unknown = { seq: state.seq + 1, ts: "2027-01-01T00:00:00.000Z", type: "dream", data: 1 };
    const next = fold(state, unknown as unknown as SessionEvent);
    expect(next).toEqual({ ...state, seq: state.seq + 1 });
    expect(next.messages).toBe(state.messages);
  });

  test("leaves messages and blocks that it does not touch the same objects", () => {
    const events = logOf([...begun, delta("one"), ...begun.slice(1, 2), delta("two", "m2")]);
    const before = foldAll(initialState(), events.slice(0, -1));
    const after = events.slice(-1).reduce(fold, before);
    expect(after.messages.slice(0, before.messages.length)).toEqual(before.messages);
    for (const [index, message] of before.messages.entries()) {
      expect(after.messages[index]).toBe(message);
    }
    expect(after.session).toBe(before.session);
    expect(after.surfaces).toBe(before.surfaces);
  });

  test("leaves the other blocks of its message the same objects, also in a batch", () => {
    const deltas = [delta("one", "m1"), delta("two", "m2")];
    const before = stateAfter(...deltas);
    const [untouched] = blocksOf(before);
    const more = Array.from({ length: 3 }, () => delta("x", "m2"));
    const after = foldAll(before, logOf([...begun, ...deltas, ...more]));
    expect(blocksOf(after)[0]).toBe(untouched);
    expect(blocksOf(after)[1]).toMatchObject({ text: "twoxxx" });
    expect(blocksOf(before)[1]).toMatchObject({ text: "two" });
  });
});

describe("a batch", () => {
  test("keeps deltas apart that follow each other in other turns, sub-agents or messages", () => {
    const inSecond = { turn_id: "t2" };
    const log = logOf([
      ...begun,
      done("t1"),
      started("t2"),
      delta("a", "m1", inSecond),
      delta("b", "m1"),
      delta("c", "m1", { ...inSecond, subagent_id: "sub" }),
      delta("d", "m1", inSecond),
      delta("e", "m2", inSecond),
    ]);
    expect(foldAll(initialState(), log)).toEqual(log.reduce(fold, initialState()));
  });

  test("takes its keys from the deltas that open blocks, not from empty ones before them", () => {
    const log = logOf([...begun, delta(""), delta("a"), delta("")]);
    expect(foldAll(initialState(), log)).toEqual(log.reduce(fold, initialState()));
  });

  test("of nothing new gives back the same state", () => {
    const state = stateAfter(delta("a"));
    expect(foldAll(state, [])).toBe(state);
  });
});
