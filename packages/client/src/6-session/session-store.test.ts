import { describe, expect, test } from "vitest";
import { foldAll, initialState, type EventDraft } from "@turnwire/protocol";
import { ClientError } from "../5-connection/client-error.ts";
import { initialConnection, type ConnectionState } from "../5-connection/connection-state.ts";
import {
  done,
  notice,
  permissionAsked,
  placed,
  ready,
  userMessage,
  sampleLog,
  turnStarted,
} from "../test-support/sample-event.ts";
import { SessionStore } from "./session-store.ts";

const { context } = initialConnection({ after: 0, onGap: "snapshot" });
const live: ConnectionState = {
  type: "live",
  context,
  openedAt: 0,
  heardAt: 0,
  checkAt: 0,
  silenceMs: 45_000,
};

function setUp(...drafts: EventDraft[]) {
  const errors: unknown[] = [];
  const store = new SessionStore({
    connection: { type: "idle", context },
    reportError: (error) => errors.push(error),
  });
  store.update({ connection: live, events: placed([ready, ...drafts]) });
  let calls = 0;
  store.subscribe(() => {
    calls += 1;
  });
  const append = (...more: EventDraft[]): void => {
    const { seq } = store.getState().session;
    store.update({ connection: live, events: placed(more, seq) });
  };
  return { store, append, errors, calls: () => calls };
}

describe("a session store", () => {
  test("holds the fold over all events", () => {
    const events = sampleLog(20);
    const store = setUp().store;
    store.update({ connection: live, events: events.slice(1, 8) });
    store.update({ connection: live, events: events.slice(8) });
    expect(store.getState().session).toEqual(foldAll(initialState(), events));
  });

  test("notifies its listeners once per batch, after the view is new", () => {
    const { store, append, calls } = setUp();
    let seen = 0;
    store.subscribe(() => {
      seen = store.getState().session.seq;
    });
    append(notice("a"), notice("b"), notice("c"));
    expect(calls()).toBe(1);
    expect(seen).toBe(4);
  });

  test("gives the same view, and notifies no listener, while nothing has changed", () => {
    const { store, calls } = setUp(permissionAsked("p1"));
    const before = store.getState();
    store.update({ connection: { ...live, heardAt: 99 }, events: [] });
    store.update({ connection: live, events: placed([ready]) });
    store.discard("nothing");
    store.cancelling(undefined);
    expect(store.getState()).toBe(before);
    expect(calls()).toBe(0);
  });

  test("keeps the parts that did not change", () => {
    const { store, append } = setUp(permissionAsked("p1"));
    const before = store.getState();
    append(notice());
    const after = store.getState();
    expect(after).not.toBe(before);
    expect(after.connection).toBe(before.connection);
    expect(after.sending).toBe(before.sending);
    expect(after.requests).toBe(before.requests);
  });

  test("never changes a view it has given out", () => {
    const { store, append } = setUp(userMessage("hello", "a"), turnStarted("t1"));
    const before = store.getState();
    const copy = structuredClone(before);
    append(notice(), permissionAsked("p1"), done("t1"));
    store.pending({ client_message_id: "b", content: "more", delivery: "queue" });
    expect(before).toEqual(copy);
  });

  test("a selection is reported only when its value has become another one", () => {
    const { store, append } = setUp();
    const titles: unknown[] = [];
    const stop = store.select(
      ({ session }) => session.session.title,
      (title) => titles.push(title),
    );
    append(notice());
    append({ type: "session_updated", data: { title: "One" } });
    append(notice());
    append({ type: "session_updated", data: { title: "One" } });
    append({ type: "session_updated", data: { title: "Two" } });
    stop();
    append({ type: "session_updated", data: { title: "Three" } });
    expect(titles).toEqual(["One", "Two"]);
  });

  test("a listener that throws does not keep the others from being notified", () => {
    const { store, append, errors, calls } = setUp();
    const bug = new Error("a bug in the app");
    store.subscribe(() => {
      throw bug;
    });
    let isTold = false;
    store.subscribe(() => {
      isTold = true;
    });
    append(notice());
    expect(calls()).toBe(1);
    expect(isTold).toBe(true);
    expect(errors).toEqual([bug]);
  });

  test("the same listener subscribed twice leaves one at a time", () => {
    const { store, append } = setUp();
    let count = 0;
    const listener = (): void => {
      count += 1;
    };
    const stop = store.subscribe(listener);
    store.subscribe(listener);
    stop();
    stop();
    append(notice());
    expect(count).toBe(1);
  });

  test("a snapshot replaces the session, and settles what it already has", () => {
    const { store } = setUp();
    store.pending({ client_message_id: "a", content: "hello", delivery: "turn" });
    const state = foldAll(initialState(), placed([ready, notice(), userMessage("hello", "a")]));
    store.update({ connection: live, events: [], snapshot: { seq: 3, epoch: "e2", state } });
    expect(store.getState().session).toBe(state);
    expect(store.getState().sending["a"]?.status).toBe("sent");
  });

  test("cancelling lasts until the turn that was running is done", () => {
    const { store, append } = setUp(turnStarted("t1"));
    store.cancelling("t1");
    expect(store.getState().isCancelling).toBe(true);
    append(notice());
    expect(store.getState().isCancelling).toBe(true);
    append(done("t1"), turnStarted("t2"));
    expect(store.getState().isCancelling).toBe(false);
  });

  test("shows why and when it reconnects, and no old failures once connected", () => {
    const { store } = setUp();
    const error = new ClientError("network", "cut");
    const failing = { ...context, attempt: 3, error };
    const waiting: ConnectionState = {
      type: "waiting",
      context: failing,
      retryAt: 1_250,
      notBefore: 0,
    };
    store.update({ connection: waiting, events: [] });
    expect(store.getState().connection).toEqual({
      status: "waiting",
      attempt: 3,
      error,
      retryAt: 1_250,
    });
    store.update({ connection: { ...live, context: failing }, events: [] });
    expect(store.getState().connection).toEqual({ status: "live", attempt: 0 });
  });
});
