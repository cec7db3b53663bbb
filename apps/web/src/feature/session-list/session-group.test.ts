import type { Project, SessionInfo } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { groupSessions, searchSessions } from "./session-group.ts";

function session(title: string, facts: Partial<SessionInfo> = {}): SessionInfo {
  const now = "2026-11-15T12:00:00.000Z";
  return {
    session_id: title,
    protocol_version: "1.0",
    runtime: "demo",
    status: "live",
    activity: "idle",
    title,
    created_at: now,
    updated_at: now,
    head: 1,
    epoch: "e",
    ...facts,
  };
}

function project(path: string): Project {
  return {
    id: path,
    path,
    name: path.slice(path.lastIndexOf("/") + 1),
    display_path: path,
    is_available: true,
    is_fixed: false,
    trust: "none",
  };
}

function shape(sessions: readonly SessionInfo[], projects: readonly Project[]) {
  return groupSessions(sessions, projects).map(({ label, sessions: members }) => [
    label,
    ...members.map(({ title }) => title),
  ]);
}

test("each session is in the innermost project around it, and who waits comes first there", () => {
  const sessions = [
    session("newest", { cwd: "/code/site" }),
    session("asking", { cwd: "/code/site/pages", activity: "waiting" }),
    session("inner", { cwd: "/code/site/api/src" }),
    session("near miss", { cwd: "/code/site-old" }),
    session("nowhere"),
    session("put away", { cwd: "/code/site", status: "archived", activity: "waiting" }),
  ];
  expect(shape(sessions, [project("/code/site"), project("/code/site/api")])).toEqual([
    ["site", "asking", "newest"],
    ["api", "inner"],
    ["Other folders", "near miss", "nowhere"],
    ["Archived", "put away"],
  ]);
});

test("a project without sessions stays in its place, so that nothing moves when one begins", () => {
  const projects = [project("/code/b"), project("/code/a")];
  expect(shape([session("one", { cwd: "/code/a" })], projects)).toEqual([["b"], ["a", "one"]]);
});

test("a session that only works does not move before newer ones", () => {
  const sessions = [
    session("newer", { cwd: "/code/a" }),
    session("busy", { cwd: "/code/a", activity: "working" }),
  ];
  expect(shape(sessions, [project("/code/a")])).toEqual([["a", "newer", "busy"]]);
});

test("a search finds sessions that have every word in title, directory or runtime", () => {
  const sessions = [
    session("Fix the login", { cwd: "/code/website" }),
    session("Release", { runtime: "codex" }),
  ];
  const found = (query: string) => searchSessions(sessions, query).map(({ title }) => title);
  expect(found("")).toEqual(["Fix the login", "Release"]);
  expect(found(" LOGIN  website ")).toEqual(["Fix the login"]);
  expect(found("codex")).toEqual(["Release"]);
  expect(found("login codex")).toEqual([]);
});
