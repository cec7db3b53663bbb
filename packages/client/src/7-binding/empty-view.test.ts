import { foldAll, initialState } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import {
  permissionAsked,
  permissionResolved,
  placed,
  ready,
} from "../test-support/sample-event.ts";
import { emptyView } from "./empty-view.ts";

describe("what is shown before a session is followed", () => {
  test("is nothing, on an idle line", () => {
    expect(emptyView()).toMatchObject({
      session: initialState(),
      connection: { status: "idle", attempt: 0 },
      requests: {},
    });
  });

  test("is a snapshot's state, with its requests as a followed session has them", () => {
    const drafts = [ready, permissionAsked("p1"), permissionResolved("p1"), permissionAsked("p2")];
    const state = foldAll(initialState(), placed(drafts));
    const view = emptyView({ seq: 4, epoch: "e1", state });
    expect(view.session).toBe(state);
    expect(view.requests).toEqual({
      p1: { status: "resolved", outcome: "answered" },
      p2: { status: "requested" },
    });
  });
});
