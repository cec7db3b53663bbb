import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import {
  Command,
  type Control,
  fold,
  foldAll,
  initialState,
  type SessionEvent,
  type SessionState,
} from "@turnwire/protocol";
import type { Dialect, Frame, StatefulDialect } from "@turnwire/wire";
import * as fc from "fast-check";
import type { Check } from "./check.ts";
import { eventLogArbitrary } from "./event-log-arbitrary.ts";

export interface DialectSubject {
  /** A dialect as another process would have it: called again for replays. */
  readonly createDialect: () => Dialect;
  /**
   * A client's view of frames, for a stateful dialect: the same for one that has read all and
   * for one that joined late with an opening.
   */
  readonly view?: (frames: readonly Frame[]) => unknown;
  /** Logs that the view can be compared over, where the wire cannot take everything back. */
  readonly log?: fc.Arbitrary<SessionEvent[]>;
  /** Messages of clients, with the commands that they mean. */
  readonly inputs: readonly DialectInput[];
}

export interface DialectInput {
  readonly input: unknown;
  readonly command: Command;
  /** The events before it. */
  readonly events?: readonly SessionEvent[];
}

const sessionId = "dialect-contract";
const numRuns = 30;
const logs = eventLogArbitrary({ maxSteps: 25 });

/** Promises of every dialect; needs no test runner. */
export const dialectChecks: readonly Check<DialectSubject>[] = [
  {
    name: "gives frames with a name and JSON, at least one per event where it is stateless",
    run: async ({ createDialect }) => {
      const dialect = createDialect();
      forEveryLog(logs, (events) => {
        for (const frames of framesByEvent(dialect, events, 0)) {
          if (dialect.type === "stateless") assert.ok(frames.length > 0);
          for (const { name, data } of frames) {
            assert.match(name, /^[\w-]+$/);
            assert.equal(typeof JSON.parse(data), "object");
          }
        }
      });
    },
  },
  {
    name: "gives the same frames live and replayed from every position, in any process",
    run: async ({ createDialect }) => {
      const dialect = createDialect();
      forEveryLog(logs, (events) => {
        const live = framesByEvent(dialect, events, 0);
        for (let cut = 0; cut <= events.length; cut += 1) {
          const other = cut % 2 === 0 ? createDialect() : dialect;
          const replayed = framesByEvent(other, events, cut);
          assert.deepEqual(replayed, live.slice(cut), `replayed after ${cut}`);
        }
      });
    },
  },
  {
    name: "leaves the state that it reads as it is",
    run: async ({ createDialect }) => {
      const dialect = createDialect();
      if (dialect.type === "stateless") return;
      forEveryLog(logs, (events) => {
        const state = foldAll(initialState(), events);
        const copy = structuredClone(state);
        dialect.opening(state);
        for (const event of events) dialect.frames(state, { ...event, seq: state.seq + 1 });
        assert.deepEqual(state, copy);
      });
    },
  },
  {
    name: "brings a reader that joins late to where one is that has read all",
    run: async ({ createDialect, view, log = logs }) => {
      const dialect = createDialect();
      if (dialect.type === "stateless") return;
      assert.ok(view, "a stateful dialect is checked with a view");
      forEveryLog(log, (events) => {
        const all = framesByEvent(dialect, events, 0);
        const early = view(all.flat());
        for (let cut = 1; cut <= events.length; cut += 1) {
          const state = foldAll(initialState(), events.slice(0, cut));
          const late: unknown = view([
            ...createStateful(createDialect).opening(state),
            ...all.slice(cut).flat(),
          ]);
          assert.deepEqual(late, early, `joined after ${cut}`);
        }
      });
    },
  },
  {
    name: "makes the commands of what clients send",
    run: async ({ createDialect, inputs }) => {
      for (const { input, command, events = [] } of inputs) {
        const result = createDialect().commandFrom(input, controlAfter(events));
        assert.deepEqual(result, { ok: true, value: command });
        assert.ok(isDeepStrictEqual(Command.parse(command), command), "a command of the protocol");
      }
    },
  },
  {
    name: "refuses other input and never throws",
    run: async ({ createDialect, inputs }) => {
      const dialect = createDialect();
      const types = inputs.map(({ input }) => input);
      const broken = fc
        .tuple(fc.constantFrom(...types), fc.string(), fc.jsonValue())
        .map(([input, field, value]) =>
          typeof input === "object" && input !== null ? { ...input, [field]: value } : value,
        );
      fc.assert(
        fc.property(fc.oneof(fc.jsonValue(), broken), (input) => {
          const result = dialect.commandFrom(input, initialState());
          if (result.ok) Command.parse(result.value);
          else assert.ok(result.error.message !== "");
        }),
        { numRuns: 200 },
      );
    },
  },
];

function forEveryLog(
  log: fc.Arbitrary<SessionEvent[]>,
  look: (events: SessionEvent[]) => void,
): void {
  fc.assert(fc.property(log, look), { numRuns });
}

/** The frames of each event after a position, as a process that starts there makes them. */
function framesByEvent(
  dialect: Dialect,
  events: readonly SessionEvent[],
  after: number,
): (readonly Frame[])[] {
  let state: SessionState = foldAll(initialState(), events.slice(0, after));
  return events.slice(after).map((event) => {
    const before = state;
    state = fold(before, event);
    if (dialect.type === "stateful") return dialect.frames(before, event);
    const { seq, type } = event;
    return dialect.frames({ seq, type, json: JSON.stringify(event) }, sessionId);
  });
}

function createStateful(createDialect: () => Dialect): StatefulDialect {
  const dialect = createDialect();
  if (dialect.type !== "stateful") throw new Error("the dialect is stateless now");
  return dialect;
}

function controlAfter(events: readonly SessionEvent[]): Control {
  return foldAll(initialState(), events);
}
