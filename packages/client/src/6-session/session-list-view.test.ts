import type { SessionInfo } from "@turnwire/protocol";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ClientError } from "../5-connection/client-error.ts";
import { initialConnection, type ConnectionState } from "../5-connection/connection-state.ts";
import type { WatchEvent } from "../5-connection/watch-feed.ts";
import {
  emptyList,
  listAfter,
  withConnection,
  withPage,
  type SessionListView,
} from "./session-list-view.ts";

function info(id: string, facts: Partial<SessionInfo> = {}): SessionInfo {
  return {
    session_id: id,
    protocol_version: "1.0",
    runtime: "demo",
    status: "live",
    activity: "idle",
    created_at: at(0),
    updated_at: at(facts.head ?? 1),
    head: 1,
    epoch: "e",
    ...facts,
  };
}

function at(second: number): string {
  return new Date(Date.UTC(2026, 10, 15) + second * 1_000).toISOString();
}

function listed(sessions: SessionInfo[], next?: string): WatchEvent {
  return { type: "sessions", seq: 1, sessions, ...(next !== undefined && { next }) };
}

function changed(session: SessionInfo): WatchEvent {
  return { type: "session_changed", seq: 2, session };
}

function removed(session_id: string): WatchEvent {
  return { type: "session_removed", seq: 3, session_id };
}

function viewAfter(...events: WatchEvent[]): SessionListView {
  return events.reduce(listAfter, emptyList);
}

function idsOf({ sessions }: SessionListView): string[] {
  return sessions.map(({ session_id }) => session_id);
}

const three = listed([info("c", { head: 3 }), info("b", { head: 2 }), info("a")], "a");

describe("a list of sessions", () => {
  test("is loading until the first page has come", () => {
    expect(emptyList).toMatchObject({ status: "loading", sessions: [], hasMore: false });
    expect(viewAfter(three)).toMatchObject({ status: "live", hasMore: true });
    expect(viewAfter(listed([]))).toMatchObject({ status: "live", sessions: [], hasMore: false });
  });

  test("counts when projects may have changed: at a frame that says so, and after each gap in the connection", () => {
    const { projectsRevision } = viewAfter(three);
    expect(projectsRevision).toBeGreaterThan(emptyList.projectsRevision);
    const changedView = viewAfter(three, { type: "projects_changed", seq: 2 });
    expect(changedView.projectsRevision).toBeGreaterThan(projectsRevision);
    expect(viewAfter(three, three).projectsRevision).toBeGreaterThan(projectsRevision);
    expect(viewAfter(three, removed("b")).projectsRevision).toBe(projectsRevision);
  });

  test("has what changed last at its top, new or not", () => {
    const view = viewAfter(three, changed(info("a", { head: 9 })), changed(info("d", { head: 8 })));
    expect(idsOf(view)).toEqual(["a", "d", "c", "b"]);
  });

  test("keeps the objects of sessions that did not change", () => {
    const before = viewAfter(three);
    const after = listAfter(before, changed(info("b", { head: 7, title: "new" })));
    expect(after.sessions[1]).toBe(before.sessions[0]);
    expect(after.sessions[2]).toBe(before.sessions[2]);
    const next = listAfter(after, listed([info("b", { head: 7, title: "new" }), info("a")]));
    expect(next.sessions[0]).toBe(after.sessions[0]);
    expect(next.sessions[1]).toBe(before.sessions[2]);
  });

  test("is the same object where a frame says nothing new", () => {
    const view = viewAfter(three);
    expect(listAfter(view, changed(info("b", { head: 2 })))).toBe(view);
    expect(listAfter(view, removed("unknown"))).toBe(view);
    expect(listAfter(view, { type: "of_the_future", seq: 9 } as unknown as WatchEvent)).toBe(view);
  });

  test("loses what is removed", () => {
    expect(idsOf(viewAfter(three, removed("b")))).toEqual(["c", "a"]);
  });

  test("starts over with each page that a connection begins with", () => {
    expect(idsOf(viewAfter(three, listed([info("x")])))).toEqual(["x"]);
  });

  test("takes in an older page without going back to older states", () => {
    const view = viewAfter(three, changed(info("z", { head: 9 })));
    const page = { sessions: [info("z", { head: 5, updated_at: at(0) }), info("0")] };
    const next = withPage(view, page);
    expect(idsOf(next)).toEqual(["z", "c", "b", "a", "0"]);
    expect(next.sessions[0]).toBe(view.sessions[0]);
    expect(next.hasMore).toBe(false);
    expect(withPage(view, { sessions: [], next: "0" }).hasMore).toBe(true);
  });

  test("takes a lower head for newer where the log has lost events", () => {
    const view = viewAfter(three, changed(info("c", { head: 1, epoch: "f", updated_at: at(50) })));
    expect(view.sessions[0]).toMatchObject({ session_id: "c", head: 1, epoch: "f" });
  });

  test("is sorted as the server sorts, whatever comes in whatever order", () => {
    const anyInfo = fc
      .record({
        id: fc.constantFrom("a", "b", "c", "d"),
        second: fc.nat({ max: 3 }),
        head: fc.nat(),
      })
      .map(({ id, second, head }) => info(id, { head, updated_at: at(second) }));
    const anyEvent = fc.oneof(
      anyInfo.map(changed),
      fc
        .uniqueArray(anyInfo, { selector: ({ session_id }) => session_id })
        .map((some) => listed(some)),
      fc.constantFrom("a", "b").map(removed),
    );
    fc.assert(
      fc.property(fc.array(anyEvent), (events) => {
        const { sessions } = viewAfter(...events);
        const keys = sessions.map(({ updated_at, session_id }) => `${updated_at} ${session_id}`);
        expect(keys).toEqual(keys.toSorted().toReversed());
        expect(new Set(idsOf({ ...emptyList, sessions })).size).toBe(sessions.length);
      }),
    );
  });
});

describe("a list whose line", () => {
  const { context } = initialConnection({ after: 0, onGap: "fail" });
  const error = new ClientError("network", "gone");
  const waiting: ConnectionState = {
    type: "waiting",
    context: { ...context, error },
    retryAt: 0,
    notBefore: 0,
  };

  test("broke shows what it knows, and why it may be old", () => {
    const view = viewAfter(three);
    const broken = withConnection(view, waiting);
    expect(broken).toEqual({ ...view, status: "waiting", error });
    const trying = withConnection(broken, { type: "connecting", context });
    expect(trying.status).toBe("waiting");
    const { projectsRevision: _, ...known } = view;
    expect(listAfter(trying, three)).toMatchObject(known);
    expect(listAfter(trying, three)).not.toHaveProperty("error");
  });

  test("was never there is loading, then waiting", () => {
    expect(withConnection(emptyList, { type: "connecting", context }).status).toBe("loading");
    expect(withConnection(emptyList, waiting)).toMatchObject({ status: "waiting", error });
  });

  test("is refused for good has failed", () => {
    const failed: ConnectionState = { type: "failed", context, error };
    expect(withConnection(viewAfter(three), failed)).toMatchObject({ status: "failed", error });
  });
});
