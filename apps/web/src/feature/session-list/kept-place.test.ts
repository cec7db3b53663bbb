import type { Project, SessionInfo } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { groupsInPlace } from "./kept-place.ts";
import type { SessionGroup } from "./session-group.ts";

function session(id: string): SessionInfo {
  const now = "2026-11-15T12:00:00.000Z";
  return {
    session_id: id,
    protocol_version: "1.0",
    runtime: "demo",
    status: "live",
    activity: "idle",
    created_at: now,
    updated_at: now,
    head: 1,
    epoch: "e",
  };
}

function project(id: string): Project {
  return {
    id,
    path: `/${id}`,
    name: id,
    display_path: `/${id}`,
    is_available: true,
    is_fixed: false,
    trust: "none",
  };
}

type Shape = readonly (readonly [key: string, ...ids: string[]])[];

/** Groups with lower-case keys are projects. */
function groups(shape: Shape): SessionGroup[] {
  return shape.map(([key, ...ids]) => ({
    key,
    label: key,
    ...(!["other", "archived"].includes(key) && { project: project(key) }),
    sessions: ids.map(session),
  }));
}

function inPlace(before: Shape, newest: Shape): Shape {
  return groupsInPlace(groups(before), groups(newest)).map(({ key, sessions }) => [
    key,
    ...sessions.map(({ session_id: id }) => id),
  ]);
}

test("rows and groups stay where they were, and what is new stands behind what it follows", () => {
  expect(
    inPlace(
      [
        ["a", "1", "2"],
        ["b", "3"],
      ],
      [
        ["c", "5"],
        ["b", "3", "6"],
        ["a", "4", "2", "1"],
      ],
    ),
  ).toEqual([
    ["c", "5"],
    ["a", "4", "1", "2"],
    ["b", "3", "6"],
  ]);
});

test("a session stays in its group although it belongs to another one now, or its project is gone", () => {
  expect(
    inPlace(
      [["other", "1", "2"]],
      [
        ["a", "2"],
        ["other", "1"],
      ],
    ),
  ).toEqual([["a"], ["other", "1", "2"]]);
  expect(inPlace([["a", "1"], ["b"]], [["other", "1"]])).toEqual([["a", "1"]]);
});

test("a session that was archived, brought back or deleted leaves its place", () => {
  expect(
    inPlace(
      [["a", "1", "2", "3"]],
      [
        ["a", "1"],
        ["archived", "2"],
      ],
    ),
  ).toEqual([
    ["a", "1"],
    ["archived", "2"],
  ]);
  expect(
    inPlace(
      [
        ["a", "1"],
        ["archived", "2"],
      ],
      [["a", "2", "1"]],
    ),
  ).toEqual([["a", "2", "1"]]);
});
