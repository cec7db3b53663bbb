import { draft, noCapabilities, PROTOCOL_VERSION, type SessionEvent } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { logCommit } from "./session-log.ts";

function openLog() {
  const lines: string[] = [];
  const at = (level: string) => (facts: object, message: string) =>
    void lines.push(`${level} ${message} ${JSON.stringify(facts)}`);
  const logger = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
  return { lines, logger };
}

const ts = "2026-11-16T00:00:00.000Z";
const said = [{ type: "text" as const, text: "a secret plan" }];
const events: SessionEvent[] = [
  draft("session_ready", {
    session_id: "s1",
    protocol_version: PROTOCOL_VERSION,
    runtime: "demo",
    capabilities: noCapabilities,
  }),
  draft("user_message", { message_id: "m1", content: said, delivery: "turn" }),
  draft("session_updated", { title: "a secret title" }),
  draft("session_updated", { status: "hibernated" }),
].map((event, index) => ({ seq: index + 1, ts, ...event }));

test("a session's life is reported, and nothing that was said in it", () => {
  const { lines, logger } = openLog();
  logCommit(logger, { sessionId: "s1", events, ms: 3 });
  expect(lines).toEqual([
    'info session created {"session":"s1","runtime":"demo"}',
    'info session status {"session":"s1","status":"hibernated"}',
  ]);
});

test("a commit that took a second or longer is reported with its time", () => {
  const { lines, logger } = openLog();
  logCommit(logger, { sessionId: "s1", events: events.slice(1, 2), ms: 999 });
  expect(lines).toEqual([]);
  logCommit(logger, { sessionId: "s1", events: events.slice(1, 2), ms: 1500 });
  expect(lines).toEqual(['warn slow commit {"session":"s1","events":1,"ms":1500}']);
});
