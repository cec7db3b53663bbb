import { EventType } from "@turnwire/protocol";
import { eventLogArbitrary } from "@turnwire/conformance/event-log-arbitrary";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
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
  test("has one frame per event, with its seq as id, a known name and JSON on one line", () => {
    fc.assert(
      fc.property(eventLogArbitrary({ isClosed: true }), (events) => {
        for (const [index, event] of events.entries()) {
          const json = JSON.stringify(event);
          const frame = dialect.frame({ seq: event.seq, type: event.type, json }, "s1");
          expect(webkitNames.has(frame.name) || ownNames.has(frame.name)).toBe(true);
          const bytes = sse.encode(event.seq, frame).toString();
          const [, id, name, data] = /^id: (.*)\nevent: (.*)\ndata: (.*)\n\n$/.exec(bytes) ?? [];
          expect(Number(id)).toBe(index + 1);
          expect(name).toBe(frame.name);
          expect(JSON.parse(data ?? "")).toBeTypeOf("object");
        }
      }),
    );
  });

  test("ends with done, and has it nowhere else", () => {
    fc.assert(
      fc.property(eventLogArbitrary({ isClosed: true }), (events) => {
        const names = events.map(
          (event) =>
            dialect.frame({ seq: event.seq, type: event.type, json: JSON.stringify(event) }, "s1")
              .name,
        );
        expect(names.indexOf("done")).toBe(names.length - 1);
      }),
    );
  });
});
