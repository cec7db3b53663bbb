import { describe, expect, test } from "vitest";
import {
  activityOf,
  type Control,
  controlOf,
  draft,
  type EventDraft,
  fold,
  foldControl,
  initialControl,
  initialState,
  openRequests,
  outcomeOf,
  requestOf,
  type SessionEvent,
} from "../index.ts";
import {
  begun,
  delta,
  done,
  inTurn,
  logOf,
  ready,
  userMessage,
  started,
} from "../test-support/log.ts";

function controlAfter(...drafts: EventDraft[]): Control {
  return logOf(drafts).reduce(foldControl, initialControl());
}

function asked(correlation_id: string) {
  const data = { correlation_id, tool_name: "Bash", tool_input: {} };
  return draft("permission_request", data, inTurn);
}

function answered(correlation_id: string) {
  const outcome = "answered" as const;
  const data = { correlation_id, outcome, tool_name: "Bash", allowed: true };
  return draft("permission_resolved", data, inTurn);
}

describe("the control of a session", () => {
  test("is a part of its state, with an empty catalog where the state was stored without one", () => {
    const log = logOf([...begun, asked("p1"), delta("Hi")]);
    const { catalog, ...state } = log.reduce(fold, initialState());
    const control = log.reduce(foldControl, initialControl());
    expect(controlOf({ ...state, catalog })).toEqual(control);
    expect(controlOf(state)).toEqual({ ...control, catalog: [] });
  });

  test("gives back the same object for an event it has seen", () => {
    const control = controlAfter(...begun);
    for (const event of logOf([...begun])) expect(foldControl(control, event)).toBe(control);
  });

  test("only moves its seq on what decisions do not need", () => {
    const control = controlAfter(...begun);
    const after = controlAfter(...begun, delta("hello"));
    expect(after).toEqual({ ...control, seq: control.seq + 1 });
  });

  test("only moves its seq on an unknown type", () => {
    const control = controlAfter(...begun);
    const unknown = { seq: 9, ts: "2027-01-01T00:00:00.000Z", type: "dream", data: {} };
    const after = foldControl(control, unknown as unknown as SessionEvent);
    expect(after).toEqual({ ...control, seq: 9 });
  });

  test("has the session's facts as last reported", () => {
    const facts = { title: "one", model: "small", cwd: "/work", permission_mode: "default" };
    const control = controlAfter(
      { ...ready, data: { ...ready.data, ...facts } },
      draft("session_updated", { title: "two", status: "hibernated", provider_session_id: "p" }),
    );
    expect(control.session).toEqual({
      ...facts,
      session_id: "s1",
      runtime: "demo",
      status: "hibernated",
      is_closed: false,
      capabilities: ready.data.capabilities,
      title: "two",
      provider_session_id: "p",
    });
  });

  test("forgets the model when it is set back to none, and keeps it when nothing is said of it", () => {
    const model = draft("session_updated", { model: "large" });
    const title = draft("session_updated", { title: "x" });
    expect(controlAfter(ready, model, title).session.model).toBe("large");
    const reset = controlAfter(ready, model, draft("session_updated", { model: null }));
    expect(reset.session).not.toHaveProperty("model");
  });

  test("is closed for good after session_closed", () => {
    const closed = controlAfter(...begun, draft("session_closed", { reason: "deleted" }));
    expect(closed.session.is_closed).toBe(true);
    expect(activityOf(closed)).toBe("idle");
  });

  test("queues a message until its turn starts, and never one that steers", () => {
    const queued = controlAfter(...begun, userMessage("u2", "queue"), userMessage("u3", "steer"));
    expect(queued.queue).toMatchObject([{ message_id: "u2", seq: 4 }]);
    const next = controlAfter(
      ...begun,
      userMessage("u2", "queue"),
      done("t1"),
      started("t2", "u2"),
    );
    expect(next).toMatchObject({ queue: [], turn: { turn_id: "t2", message_id: "u2" } });
    expect(next.last_turn_id).toBe("t2");
  });

  test("ends the running turn on its done, and on no other", () => {
    expect(controlAfter(...begun, done("t0")).turn?.turn_id).toBe("t1");
    const ended = controlAfter(...begun, done("t1"));
    expect(ended).toMatchObject({ turn: null, last_turn_id: "t1" });
  });

  test("has no newest turn after a rollback, which always takes it away", () => {
    const rolledBack = draft("rolled_back", { turn_id: "t1" });
    expect(controlAfter(...begun, done("t1"), rolledBack).last_turn_id).toBeNull();
  });

  test("holds a request from its question to its first outcome", () => {
    const open = controlAfter(...begun, asked("r2"), asked("r1"));
    expect(openRequests(open).map(({ seq }) => seq)).toEqual([4, 5]);
    expect(requestOf(open, "r2")?.type).toBe("permission_request");
    const ended = controlAfter(...begun, asked("r2"), asked("r1"), answered("r2"));
    expect(openRequests(ended).map(({ seq }) => seq)).toEqual([5]);
    expect(requestOf(ended, "r2")).toBeUndefined();
    expect(outcomeOf(ended, "r2")).toBe("answered");
  });

  test("lists open requests oldest first, also where ids look like numbers", () => {
    const open = controlAfter(...begun, asked("10"), asked("b"), asked("9"));
    expect(openRequests(open).map(({ seq }) => seq)).toEqual([4, 5, 6]);
  });

  test("takes an outcome only for a request that is open", () => {
    const control = controlAfter(...begun, answered("never-asked"));
    expect(control.outcomes).toEqual({});
  });

  test.each(["__proto__", "constructor", "toString"])("takes %s for an id like any other", (id) => {
    const fresh = controlAfter(...begun);
    expect(requestOf(fresh, id)).toBeUndefined();
    expect(outcomeOf(fresh, id)).toBeUndefined();
    const open = controlAfter(...begun, asked(id));
    expect(requestOf(open, id)?.type).toBe("permission_request");
    const ended = controlAfter(...begun, asked(id), answered(id));
    expect(activityOf(ended)).toBe("working");
    expect(outcomeOf(ended, id)).toBe("answered");
  });

  test("remembers the newest thousand outcomes", () => {
    const drafts = Array.from({ length: 1001 }, (_, n) => [asked(`r${n}`), answered(`r${n}`)]);
    const control = controlAfter(...begun, ...drafts.flat());
    expect(Object.keys(control.outcomes)).toHaveLength(1000);
    expect(outcomeOf(control, "r0")).toBeUndefined();
    expect(outcomeOf(control, "r1")).toBe("answered");
    expect(outcomeOf(control, "r1000")).toBe("answered");
  });

  test("keeps the shared state by snapshot and patch, and ignores a patch that does not fit", () => {
    const snapshot = draft("state_snapshot", { state: { count: 1 } });
    const fits = draft("state_delta", { patches: [{ op: "replace", path: "/count", value: 2 }] });
    const misfit = draft("state_delta", { patches: [{ op: "remove", path: "/absent" }] });
    expect(controlAfter(ready).shared).toEqual({});
    expect(controlAfter(ready, snapshot, fits).shared).toEqual({ count: 2 });
    expect(controlAfter(ready, snapshot, fits, misfit).shared).toEqual({ count: 2 });
  });

  test("has the version of the shared state that the newest event names, and counts where none does", () => {
    const unversioned = draft("state_snapshot", { state: 1 });
    const versioned = draft("state_delta", {
      patches: [{ op: "replace", path: "", value: 2 }],
      version: 7,
    });
    expect(controlAfter(ready).shared_version).toBe(0);
    expect(controlAfter(ready, unversioned, unversioned).shared_version).toBe(2);
    expect(controlAfter(ready, unversioned, versioned).shared_version).toBe(7);
    expect(controlAfter(ready, versioned, unversioned).shared_version).toBe(8);
  });
});

describe("the activity of a session", () => {
  test("is idle, then working from the first accepted message to the end of its turn", () => {
    expect(activityOf(controlAfter(ready))).toBe("idle");
    expect(activityOf(controlAfter(ready, userMessage("u1", "turn")))).toBe("working");
    expect(activityOf(controlAfter(...begun))).toBe("working");
    expect(activityOf(controlAfter(...begun, done("t1")))).toBe("idle");
  });

  test("is waiting while a person is asked", () => {
    expect(activityOf(controlAfter(...begun, asked("r1")))).toBe("waiting");
    expect(activityOf(controlAfter(...begun, asked("r1"), answered("r1")))).toBe("working");
  });
});
