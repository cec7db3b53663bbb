import type { SessionActivity, SessionInfo } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { activitiesOf, newsFrom } from "./news.ts";

function session(id: string, activity: SessionActivity): SessionInfo {
  return {
    session_id: id,
    protocol_version: "1.0",
    runtime: "demo",
    status: "live",
    activity,
    created_at: "2026-11-15T12:00:00.000Z",
    updated_at: "2026-11-15T12:00:00.000Z",
    head: 1,
    epoch: "e",
  };
}

test("waiting for a person and the end of work are news, once", () => {
  const before = activitiesOf([
    session("asks", "working"),
    session("ends", "working"),
    session("begins", "idle"),
    session("answered", "waiting"),
  ]);
  const after = [
    session("asks", "waiting"),
    session("ends", "idle"),
    session("begins", "working"),
    session("answered", "working"),
    session("unknown before", "waiting"),
  ];
  const news = newsFrom(before, after).map((item) => [item.session.session_id, item.type]);
  expect(news).toEqual([
    ["asks", "waiting"],
    ["ends", "done"],
  ]);
  expect(newsFrom(activitiesOf(after), after)).toEqual([]);
});
