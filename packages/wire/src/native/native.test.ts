import { describe, expect, test } from "vitest";
import { native } from "./native.ts";

describe("the native dialect", () => {
  test("sends the stored text as it is", () => {
    const json = '{"seq":1,  "type":"notice"}';
    const frames = native.frames({ seq: 1, type: "notice", json });
    expect(frames).toEqual([{ name: "notice", data: json }]);
  });

  test("takes a command of the union and drops fields it does not know", () => {
    const command = native.commandFrom({ type: "rename", title: "a", extra: 1 });
    expect(command).toEqual({ ok: true, value: { type: "rename", title: "a" } });
  });

  test.each([
    [{ type: "no_such_thing" }, "type"],
    [{ type: "rename" }, "title"],
    [
      { type: "permission_response", correlation_id: "c", behavior: "allow", interrupt: true },
      "interrupt",
    ],
    [null, ""],
    [[], ""],
    ["text", ""],
  ])("refuses %j and says where it is wrong", (input, path) => {
    const command = native.commandFrom(input);
    expect(command).toMatchObject({
      ok: false,
      error: { code: "invalid_request", details: { issues: [{ path }] } },
    });
  });

  test("lists at most twenty problems", () => {
    const patches = Array.from({ length: 100 }, () => ({ op: "add" }));
    const command = native.commandFrom({ type: "state_patch", patches });
    expect(command.ok || command.error.details?.["issues"]).toHaveLength(20);
  });
});
