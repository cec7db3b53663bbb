import { EventType } from "@turnwire/protocol";
import { eventLogArbitrary } from "@turnwire/conformance/event-log-arbitrary";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeFrames } from "../../../server/src/4-transport/stream/frame-log/frame-encoder.ts";
import { sse } from "../../../server/src/4-transport/stream/encoding/sse.ts";
import { webkit, webkitWithPartialInput } from "./webkit.ts";

const webkitNames = new Set([
  "session_ready",
  "message_delta",
  "message_complete",
  "tool_use",
  "tool_result",
  "permission_request",
  "ask_user_question",
  "hook_decision_request",
  "result",
  "error",
  "mcp_status_change",
  "done",
]);
/** Events that stand on this wire under another name, so that theirs may not appear. */
const renamed = new Set([
  "delta",
  "tool_start",
  "question_request",
  "hook_request",
  "mcp_status",
  "session_closed",
]);
const ownNames = new Set<string>([
  "turn_done",
  ...EventType.options.filter((type) => !webkitNames.has(type) && !renamed.has(type)),
]);

describe.each([webkit, webkitWithPartialInput])("a log in the dialect $name", (dialect) => {
  test("has its seq as id of the last frame of each event, known names and JSON on one line", () => {
    fc.assert(
      fc.property(eventLogArbitrary({ isClosed: true }), (events) => {
        for (const [index, event] of events.entries()) {
          const json = JSON.stringify(event);
          const frames = dialect.frames({ seq: event.seq, type: event.type, json }, "s1");
          for (const { name } of frames)
            expect(webkitNames.has(name) || ownNames.has(name)).toBe(true);
          const texts = encodeFrames(sse, event.seq, frames).toString().split("\n\n").slice(0, -1);
          const read = texts.map(
            (text) => /^(?:id: (.*)\n)?event: (.*)\ndata: (.*)$/.exec(text) ?? [],
          );
          const ids = read.map(([, id]) => id);
          expect(ids).toEqual([...frames.slice(1).map(() => undefined), String(index + 1)]);
          expect(read.map(([, , name]) => name)).toEqual(frames.map(({ name }) => name));
          for (const [, , , data = ""] of read) expect(JSON.parse(data)).toBeTypeOf("object");
        }
      }),
    );
  });

  test("ends with done, and has it nowhere else", () => {
    fc.assert(
      fc.property(eventLogArbitrary({ isClosed: true }), (events) => {
        const names = events.flatMap((event) =>
          dialect
            .frames({ seq: event.seq, type: event.type, json: JSON.stringify(event) }, "s1")
            .map(({ name }) => name),
        );
        expect(names.indexOf("done")).toBe(names.length - 1);
      }),
    );
  });
});
