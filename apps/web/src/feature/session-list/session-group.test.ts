import type { SessionInfo } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { groupSessions, searchSessions } from "./session-group.ts";

const now = new Date(2026, 10, 15, 12);

function session(title: string, facts: Partial<SessionInfo> = {}): SessionInfo {
  return {
    session_id: title,
    protocol_version: "1.0",
    runtime: "demo",
    status: "live",
    activity: "idle",
    title,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
    head: 1,
    epoch: "e",
    ...facts,
  };
}

test("who waits comes before who works, then days, and the archive is last", () => {
  const hoursAgo = (hours: number): string =>
    new Date(now.getTime() - hours * 3_600_000).toISOString();
  const groups = groupSessions(
    [
      session("archived", { status: "archived", activity: "waiting" }),
      session("old", { updated_at: hoursAgo(50) }),
      session("last night", { updated_at: hoursAgo(13) }),
      session("this morning", { updated_at: hoursAgo(11), status: "hibernated" }),
      session("busy", { activity: "working", updated_at: hoursAgo(50) }),
      session("asking", { activity: "waiting" }),
    ],
    now,
  );
  const shape = groups.map(({ label, sessions }) => [label, ...sessions.map(({ title }) => title)]);
  expect(shape).toEqual([
    ["Waiting for you", "asking"],
    ["Working", "busy"],
    ["Today", "this morning"],
    ["Yesterday", "last night"],
    ["Earlier", "old"],
    ["Archived", "archived"],
  ]);
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
