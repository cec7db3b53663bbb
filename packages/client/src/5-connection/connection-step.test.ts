import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { initialState } from "@turnwire/protocol";
import { closed, placed, ready, sampleLog } from "../test-support/sample-event.ts";
import { ClientError } from "./client-error.ts";
import {
  initialConnection,
  type Batch,
  type ConnectionAction,
  type ConnectionInput,
  type ConnectionState,
  type Snapshot,
  type StreamVerdict,
} from "./connection-state.ts";
import { step } from "./connection-step.ts";

const log = sampleLog(10);
const at = { now: 1_000_000, random: 0.5 };
const network = new ClientError("network", "gone");
const verdict: StreamVerdict = { after: 0, epoch: "e1", head: 5, hasKeepalive: true };
const snapshot: Snapshot = { seq: 7, epoch: "e2", state: { ...initialState(), seq: 7 } };

function refused(status: number, retryAfterMs?: number): ClientError {
  return new ClientError("wire", `refused with ${status}`, {
    status,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

function received(events: Batch["events"], retryMs?: number): ConnectionInput {
  return { type: "received", batch: { events, ...(retryMs !== undefined && { retryMs }) } };
}

/** The state that inputs lead to, from a fresh connection. */
function after(inputs: readonly ConnectionInput[], from = beginning()): ConnectionState {
  return inputs.reduce((state, input) => step(state, input, at).state, from);
}

function beginning(): ConnectionState {
  return initialConnection({ after: 0, onGap: "snapshot" });
}

/** Lets the timer of an open line fire whenever it is due, for so long. */
function ticked(from: ConnectionState, ms: number, now = at.now) {
  const states: ConnectionState[] = [];
  const waited: number[] = [];
  let state = from;
  for (let time = now; (state.type === "live" || state.type === "replaying") && time < now + ms;) {
    const wait = Math.max(0, state.checkAt - time);
    time += wait;
    if (time > now + ms) break;
    waited.push(wait);
    state = step(state, { type: "timer" }, { ...at, now: time }).state;
    states.push(state);
  }
  return { states, waited };
}

const start: ConnectionInput = { type: "start" };
const opened: ConnectionInput = { type: "opened", verdict };

const states = {
  idle: beginning(),
  connecting: after([start]),
  replaying: after([start, opened]),
  live: after([start, opened, received(log.slice(0, 5))]),
  waiting: after([start, { type: "failed", error: network }]),
  gap: after([start, { type: "failed", error: refused(412) }]),
  closed: after([start, { type: "stop" }]),
  failed: after([start, { type: "failed", error: refused(404) }]),
};

const inputs = {
  start,
  opened,
  received: received(log),
  ended: { type: "ended" },
  broken: { type: "failed", error: network },
  overloaded: { type: "failed", error: refused(503) },
  unauthorized: { type: "failed", error: refused(401) },
  gone: { type: "failed", error: refused(412) },
  snapshot: { type: "snapshot", snapshot },
  timer: { type: "timer" },
  online: { type: "online" },
  offline: { type: "offline" },
  visible: { type: "visible" },
  frozen: { type: "frozen" },
  resumed: { type: "resumed" },
  busy: { type: "busy" },
  stop: { type: "stop" },
} satisfies Record<string, ConnectionInput>;

const open = "connecting: cancel open wait report";
const wait = "waiting: cancel wait report";
const fail = "failed: cancel report";
const takeSnapshot = "gap: cancel take_snapshot wait report";
const close = "closed: cancel report";
/** What a page that freezes and one that comes back do to a line, open or not. */
const page = { frozen: wait, resumed: open };

/** Where a cell is missing, the input means nothing: the state stays and nothing is done. */
const table: Record<keyof typeof states, Partial<Record<keyof typeof inputs, string>>> = {
  idle: { start: open, stop: close },
  connecting: {
    opened: "replaying: wait report",
    ended: wait,
    broken: wait,
    overloaded: wait,
    unauthorized: fail,
    gone: takeSnapshot,
    timer: wait,
    busy: wait,
    ...page,
    stop: close,
  },
  replaying: {
    received: "live: report",
    ended: wait,
    broken: wait,
    overloaded: wait,
    unauthorized: fail,
    gone: takeSnapshot,
    timer: "replaying: wait",
    busy: "replaying: wait",
    ...page,
    stop: close,
  },
  live: {
    received: "live: report",
    ended: wait,
    broken: wait,
    overloaded: wait,
    unauthorized: fail,
    gone: takeSnapshot,
    timer: "live: wait",
    busy: "live: wait",
    ...page,
    stop: close,
  },
  waiting: {
    start: open,
    timer: open,
    online: open,
    offline: wait,
    visible: open,
    busy: open,
    ...page,
    stop: close,
  },
  gap: {
    broken: wait,
    overloaded: wait,
    unauthorized: fail,
    gone: wait,
    snapshot: open,
    timer: wait,
    busy: wait,
    frozen: wait,
    resumed: takeSnapshot,
    stop: close,
  },
  closed: {},
  failed: { start: open, stop: close },
};

describe("a connection in each state answers each input", () => {
  const cells = Object.entries(states).flatMap(([name, state]) =>
    Object.entries(inputs).map(([inputName, input]) => {
      const row: Partial<Record<string, string>> = table[state.type];
      return { name, inputName, state, input, expected: row[inputName] ?? `${name}: ` };
    }),
  );

  test.each(cells)("$name, $inputName → $expected", ({ state, input, expected }) => {
    const next = step(state, input, at);
    const actions = next.actions.map(({ type }) => type).join(" ");
    expect(`${next.state.type}: ${actions}`).toBe(expected);
  });
});

describe("opening", () => {
  test("asks for what comes after the last event, in the epoch it belongs to", () => {
    const { actions } = step(after([inputs.ended], states.live), { type: "timer" }, at);
    expect(actions).toContainEqual({ type: "open", after: 5, epoch: "e1" });
  });

  test("a reader without a position begins with a snapshot", () => {
    const fresh = initialConnection({ onGap: "snapshot" });
    expect(step(fresh, start, at).state.type).toBe("gap");
  });

  test("a reader that is not behind the head is live at once", () => {
    const atHead: StreamVerdict = { ...verdict, head: 0 };
    expect(after([start, { type: "opened", verdict: atHead }]).type).toBe("live");
  });

  test("where a proxy hides the verdict, the stream is trusted", () => {
    const hidden: ConnectionInput = { type: "opened", verdict: { hasKeepalive: true } };
    const state = after([start, hidden, received(log.slice(0, 3))]);
    expect(state).toMatchObject({ type: "live", context: { after: 3 } });
  });

  test("a stream that starts elsewhere than asked for is not read", () => {
    const elsewhere: ConnectionInput = { type: "opened", verdict: { ...verdict, after: 3 } };
    expect(after([start, elsewhere])).toMatchObject({
      type: "waiting",
      context: { after: 0, error: { code: "protocol" } },
    });
  });

  test("another epoch than the followed one is a gap", () => {
    const other: ConnectionInput = {
      type: "opened",
      verdict: { ...verdict, after: 5, epoch: "e9" },
    };
    expect(after([inputs.ended, inputs.timer, other], states.live).type).toBe("gap");
  });
});

describe("events", () => {
  function reportedBy(state: ConnectionState, input: ConnectionInput): number[] {
    const { actions } = step(state, input, at);
    return actions.flatMap((action) =>
      action.type === "report" ? action.events.map(({ seq }) => seq) : [],
    );
  }

  test("are reported once: what was seen before is dropped", () => {
    expect(reportedBy(states.live, received(log.slice(2, 8)))).toEqual([6, 7, 8]);
    expect(reportedBy(states.live, received(log.slice(0, 5)))).toEqual([]);
  });

  test("are not taken across a jump: what came before it is reported, the rest fetched again", () => {
    const [sixth, , eighth] = log.slice(5);
    if (!sixth || !eighth) throw new Error("the log is too short");
    const jump = received([sixth, eighth]);
    expect(reportedBy(states.live, jump)).toEqual([6]);
    expect(after([jump], states.live)).toMatchObject({
      type: "waiting",
      context: { after: 6, attempt: 1, error: { code: "protocol" } },
    });
  });

  test("nothing is reported for a chunk that brought nothing", () => {
    const { actions } = step(states.live, received([]), at);
    expect(actions).toEqual([]);
  });

  test("session_closed is the end, not a reason to come back", () => {
    const end = received(placed([ready, closed]));
    expect(after([end], states.replaying)).toMatchObject({ type: "closed", reason: "ended" });
    expect(reportedBy(states.replaying, end)).toEqual([1, 2]);
  });
});

describe("failures", () => {
  test.each([400, 401, 403, 404, 405, 409, 410, 413, 415, 421])("%i is final", (status) => {
    const error = refused(status);
    expect(after([{ type: "failed", error }], states.connecting)).toEqual({
      ...states.connecting,
      type: "failed",
      error,
    });
  });

  test.each([408, 425, 429, 500, 502, 503, 504, 302])("%i is tried again", (status) => {
    const failure: ConnectionInput = { type: "failed", error: refused(status) };
    expect(after([failure], states.connecting).type).toBe("waiting");
  });

  test("waits grow with failures in a row", () => {
    let state = states.connecting;
    const waits: number[] = [];
    for (let round = 0; round < 8; round++) {
      const { state: next } = step(state, inputs.broken, at);
      if (next.type !== "waiting") throw new Error(next.type);
      waits.push(next.retryAt - at.now);
      state = after([inputs.timer], next);
    }
    expect(waits).toEqual([125, 250, 500, 1000, 2000, 4000, 4000, 4000]);
  });

  test("an event makes up for the failures before it", () => {
    const again: ConnectionInput[] = [inputs.broken, inputs.timer, inputs.broken, inputs.timer];
    const state = after([...again, opened, received(log.slice(0, 1))], states.connecting);
    expect(state.context.attempt).toBe(0);
    expect(state.context.error).toBeUndefined();
  });

  test("a connection that opens and brings nothing makes up for nothing", () => {
    const round: ConnectionInput[] = [opened, received([]), inputs.ended, inputs.timer];
    expect(after([...round, ...round, ...round], states.connecting).context.attempt).toBe(3);
  });

  test("a connection that held for ten seconds was good, though nothing happened", () => {
    const failedOnce = after([inputs.broken, inputs.timer, opened], states.connecting);
    const later = step(failedOnce, received([]), { ...at, now: at.now + 10_000 });
    expect(later.state.context.attempt).toBe(0);
  });

  test("Retry-After is waited out, with jitter on top", () => {
    const failure: ConnectionInput = { type: "failed", error: refused(429, 30_000) };
    const { state } = step(states.connecting, failure, at);
    expect(state).toMatchObject({ retryAt: at.now + 30_125, notBefore: at.now + 30_000 });
  });

  test("a retry hint of the stream is waited out after its end", () => {
    const state = after([received(log.slice(5, 6), 2_000), inputs.ended], states.live);
    expect(state).toMatchObject({ type: "waiting", retryAt: at.now + 2_125 });
  });

  test("a retry hint is forgotten after the next good connection", () => {
    const hinted = after([received([], 2_000), inputs.ended, inputs.timer], states.live);
    const back: ConnectionInput = { type: "opened", verdict: { ...verdict, after: 5 } };
    const state = after([back, received(log.slice(5, 6)), inputs.ended], hinted);
    expect(state).toMatchObject({ type: "waiting", retryAt: at.now + 125 });
  });

  test("a verdict that has not come after 15 s is not waited for", () => {
    const { state, actions } = step(states.idle, start, at);
    expect(actions).toContainEqual({ type: "wait", ms: 15_000 });
    expect(after([inputs.timer], state)).toMatchObject({
      type: "waiting",
      context: { attempt: 1, error: { code: "timeout", message: "Nothing came for 15000 ms" } },
    });
  });

  test("45 s of silence are a dead line", () => {
    const { state } = step(states.live, received(log.slice(5, 6)), at);
    const { states: seen, waited } = ticked(state, 45_000);
    expect(waited).toEqual([9_000, 9_000, 9_000, 9_000, 9_000]);
    expect(seen.slice(0, -1).every(({ type }) => type === "live")).toBe(true);
    expect(seen.at(-1)).toMatchObject({
      type: "waiting",
      context: { error: { code: "timeout" } },
    });
  });

  test("what is heard in between puts the end of the silence off", () => {
    const { states: seen } = ticked(states.live, 27_000);
    const heardAt = { ...at, now: at.now + 27_000 };
    const { state } = step(seen.at(-1) ?? states.live, received([]), heardAt);
    expect(ticked(state, 44_999, heardAt.now).states.at(-1)?.type).toBe("live");
  });

  test("without keepalives silence says nothing", () => {
    const silent: ConnectionInput = {
      type: "opened",
      verdict: { ...verdict, hasKeepalive: false },
    };
    const { actions, state } = step(states.connecting, silent, at);
    expect(actions).toContainEqual({ type: "wait", ms: Infinity });
    const later = { ...at, now: at.now + 3_600_000 };
    expect(step(state, inputs.visible, later).actions).toEqual([]);
  });
});

describe("a gap", () => {
  test("is closed by a snapshot: it is reported, and the stream continues from its place", () => {
    const { actions } = step(states.gap, inputs.snapshot, at);
    expect(actions).toContainEqual({ type: "open", after: 7, epoch: "e2" });
    expect(actions.at(-1)).toEqual({ type: "report", events: [], snapshot });
  });

  test("that follows a snapshot at once is not hammered", () => {
    expect(after([inputs.snapshot, inputs.gone], states.gap)).toMatchObject({
      type: "waiting",
      context: { needsSnapshot: true },
    });
  });

  test("is taken up again after a failure to take the snapshot", () => {
    expect(after([inputs.broken, inputs.timer], states.gap).type).toBe("gap");
  });

  test("is final for a reader that wants every event", () => {
    const state = after([start, inputs.gone], initialConnection({ after: 3, onGap: "fail" }));
    expect(state).toMatchObject({ type: "failed", error: { status: 412 } });
  });

  test("a snapshot of a closed session is the end", () => {
    const { state } = snapshot;
    const ended: ConnectionInput = {
      type: "snapshot",
      snapshot: {
        ...snapshot,
        state: { ...state, session: { ...state.session, is_closed: true } },
      },
    };
    const next = step(states.gap, ended, at);
    expect(next.state).toMatchObject({ type: "closed", reason: "ended" });
    expect(next.actions.at(-1)).toMatchObject({ type: "report", snapshot: { seq: 7 } });
  });
});

describe("hints of the browser", () => {
  test("offline slows retries but never stops them, as a server on this machine needs no network", () => {
    const { state } = step(states.waiting, inputs.offline, at);
    expect(state).toMatchObject({ type: "waiting", retryAt: at.now + 8_000 });
    const next = step(after([inputs.timer], state), inputs.broken, at);
    expect(next.state).toMatchObject({ type: "waiting", retryAt: at.now + 8_000 });
  });

  test("a connection that survived being offline is opened again", () => {
    const state = after([inputs.offline], states.live);
    expect(state.type).toBe("live");
    const { actions } = step(state, inputs.online, at);
    expect(actions.map(({ type }) => type)).toEqual(["cancel", "open", "wait", "report"]);
  });

  test("a page that comes back reopens a connection that has missed a keepalive", () => {
    const soon = { ...at, now: at.now + 15_000 };
    const late = { ...at, now: at.now + 20_001 };
    expect(step(states.live, inputs.visible, soon).actions).toEqual([]);
    expect(step(states.live, inputs.visible, late).state.type).toBe("connecting");
  });

  test("a machine that slept looks at its line as soon as its timers run again", () => {
    const awake = { ...at, now: at.now + 3_600_000 };
    const { state, actions } = step(states.live, inputs.timer, awake);
    expect(state).toMatchObject({ type: "connecting", context: { attempt: 0 } });
    expect(actions.map(({ type }) => type)).toEqual(["cancel", "open", "wait", "report"]);
  });

  test("a timer that a busy page held back says nothing against a line that was heard of", () => {
    const late = { ...at, now: at.now + 60_000 };
    const heard = after([], step(states.live, received([]), late).state);
    expect(step(heard, inputs.timer, late).state.type).toBe("live");
  });

  test("a page that freezes lets go of its line, and has a new one when it comes back", () => {
    const { state, actions } = step(states.live, inputs.frozen, at);
    expect(state).toMatchObject({ type: "waiting", retryAt: Infinity, context: { attempt: 0 } });
    expect(actions).toContainEqual({ type: "cancel" });
    expect(step(state, inputs.resumed, at).state).toMatchObject({
      type: "connecting",
      context: { after: 5, epoch: "e1" },
    });
  });

  test("a page that comes back waits out what the server had asked for", () => {
    const limited = after([{ type: "failed", error: refused(429, 30_000) }], states.connecting);
    const later = { ...at, now: at.now + 10_000 };
    const { state } = step(after([inputs.frozen], limited), inputs.resumed, later);
    expect(state).toMatchObject({ type: "waiting", retryAt: at.now + 30_000 });
  });

  test("neither cuts a wait short that the server asked for", () => {
    const limited = after([{ type: "failed", error: refused(429, 30_000) }], states.connecting);
    expect(step(limited, inputs.visible, at).actions).toEqual([]);
    expect(step(limited, inputs.online, at).actions).toEqual([]);
    const later = { ...at, now: at.now + 30_000 };
    expect(step(limited, inputs.visible, later).state.type).toBe("connecting");
  });
});

test("whatever happens, a connection holds what its state needs and nothing else", () => {
  const anyInput = fc.oneof(
    fc.constantFrom<ConnectionInput[]>(...Object.values(inputs)),
    fc
      .tuple(fc.nat({ max: 9 }), fc.nat({ max: 10 }))
      .map(([from, to]) => received(log.slice(from, to))),
    fc
      .record({ after: fc.nat({ max: 10 }), head: fc.nat({ max: 10 }), isOld: fc.boolean() })
      .map(({ after, head, isOld }): ConnectionInput => ({
        type: "opened",
        verdict: { after, head, epoch: isOld ? "e1" : "e2", hasKeepalive: true },
      })),
  );
  fc.assert(
    fc.property(fc.array(anyInput, { maxLength: 60 }), fc.nat({ max: 4 }), (sequence, first) => {
      let state = initialConnection({ after: first, onGap: "snapshot" });
      let held: HeldResources = needs.idle;
      let last = first;
      for (const input of sequence) {
        if (!canCome(input, held)) continue;
        held = spentBy(input, held);
        const next = step(state, input, at);
        state = next.state;
        held = next.actions.reduce(holding, held);
        for (const action of next.actions) {
          if (action.type !== "report") continue;
          if (action.snapshot) last = action.snapshot.seq;
          for (const { seq } of action.events) {
            expect(seq).toBe(last + 1);
            last = seq;
          }
        }
        expect(state.context.after).toBe(last);
        const isFrozen = state.type === "waiting" && state.retryAt === Infinity;
        expect(held).toEqual(isFrozen ? needs.idle : needs[state.type]);
      }
    }),
  );
});

type HeldResources = { readonly line: string; readonly hasTimer: boolean };

const needs: Record<ConnectionState["type"], HeldResources> = {
  idle: { line: "none", hasTimer: false },
  connecting: { line: "stream", hasTimer: true },
  replaying: { line: "stream", hasTimer: true },
  live: { line: "stream", hasTimer: true },
  waiting: { line: "none", hasTimer: true },
  gap: { line: "snapshot", hasTimer: true },
  closed: { line: "none", hasTimer: false },
  failed: { line: "none", hasTimer: false },
};

/** Only an open stream can deliver something, and only a timer that runs can fire. */
function canCome({ type }: ConnectionInput, { line, hasTimer }: HeldResources): boolean {
  switch (type) {
    case "opened":
    case "received":
    case "ended":
      return line === "stream";
    case "snapshot":
      return line === "snapshot";
    case "failed":
      return line !== "none";
    case "timer":
    case "busy":
      return hasTimer;
    case "frozen":
    case "resumed":
    case "start":
    case "online":
    case "offline":
    case "visible":
    case "stop":
      return true;
  }
}

/** What is over by the input itself: a timer that fired, a line that ended. */
function spentBy({ type }: ConnectionInput, held: HeldResources): HeldResources {
  if (type === "timer" || type === "busy") return { line: held.line, hasTimer: false };
  const isOver = type === "ended" || type === "failed" || type === "snapshot";
  return isOver ? { line: "none", hasTimer: held.hasTimer } : held;
}

function holding(held: HeldResources, action: ConnectionAction): HeldResources {
  switch (action.type) {
    case "open":
      return { ...held, line: "stream" };
    case "take_snapshot":
      return { ...held, line: "snapshot" };
    case "wait":
      return { ...held, hasTimer: action.ms !== Infinity };
    case "cancel":
      return { line: "none", hasTimer: false };
    case "report":
      return held;
  }
}
