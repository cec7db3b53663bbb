import { describe, expect, test } from "vitest";
import { linesFrom } from "./relay-frame.ts";
import { relayLineFrom, type RelayLine } from "./relay-line.ts";

function lineOf(value: unknown): RelayLine {
  return textLine(JSON.stringify(value));
}

function textLine(text: string): RelayLine {
  const [line] = linesFrom("", `${text}\n`).lines;
  if (!line) throw new Error(`No line in ${text}`);
  return relayLineFrom(line);
}

describe("a line of a relay", () => {
  test("that introduces a session says where it works and with which model", () => {
    const init = {
      type: "system",
      subtype: "init",
      session_id: "sess_abc123",
      model: "claude-sonnet-4-6",
      cwd: "/srv/app",
    };
    const { type: _type, subtype: _subtype, ...bare } = init;
    for (const line of [init, { type: "init", ...bare }, { type: "raw", data: init }]) {
      expect(lineOf(line)).toEqual({
        type: "message",
        sessionId: "sess_abc123",
        isInit: true,
        isContent: false,
        isRecovered: false,
        model: "claude-sonnet-4-6",
        cwd: "/srv/app",
      });
    }
  });

  test.each([
    ["claude code connected", false],
    ["claude code is connected", false],
    ["claude code disconnected", true],
  ])("of the relay's own, %j, is a status", (text, isDisconnected) => {
    expect(lineOf({ type: "status", text })).toEqual({ type: "status", isDisconnected });
    expect(lineOf({ type: "status", content: text })).toEqual({ type: "status", isDisconnected });
  });

  test("belongs to its own session id, not to one that a tool's output names", () => {
    const line = {
      type: "user",
      message: { content: [{ type: "tool_result", content: { session_id: "sess_other" } }] },
      session_id: "sess_own",
    };
    expect(lineOf(line)).toMatchObject({ sessionId: "sess_own", isContent: true });
    const { session_id: _id, ...unnamed } = line;
    expect(lineOf(unnamed)).not.toHaveProperty("sessionId");
  });

  test("without a session may show something: a request has none", () => {
    const request = { type: "control_request", request_id: "1", request: {} };
    expect(lineOf(request)).toMatchObject({ type: "message", isContent: true });
  });

  test.each([
    { type: "keep_alive" },
    { type: "control_response", response: { subtype: "success", request_id: "1" } },
    { type: "control_cancel_request", request_id: "1" },
    { type: "system", subtype: "status" },
  ])("that shows nothing and belongs to no session is ignored: $type", (line) => {
    expect(lineOf(line)).toEqual({ type: "ignored" });
  });

  test("that is broken is read by patterns", () => {
    expect(textLine('{"type":"system","subtype":"init","session_id":"sess_abc123",')).toEqual({
      type: "message",
      sessionId: "sess_abc123",
      isInit: true,
      isContent: true,
      isRecovered: true,
    });
    expect(textLine("[system/init] sessionId=0f2a-11.x")).toMatchObject({
      sessionId: "0f2a-11.x",
      isInit: true,
    });
    expect(textLine("no id here")).toEqual({
      type: "message",
      isInit: false,
      isContent: true,
      isRecovered: true,
    });
  });

  test.each(["[]", "null", "12", '"text"', '{"type":"raw","data":{"type":"raw","data":7}}', "{}"])(
    "of any other kind, %s, breaks nothing",
    (text) => {
      expect(() => textLine(text)).not.toThrow();
    },
  );

  test("takes no session id that is not text", () => {
    expect(lineOf({ type: "result", session_id: 7 })).not.toHaveProperty("sessionId");
    expect(lineOf({ type: "result", session_id: "" })).not.toHaveProperty("sessionId");
  });
});
