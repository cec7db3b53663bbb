import { assert, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { readMalformed } from "./malformed-line.ts";

describe("a line that is not JSON", () => {
  test.each([
    ['{"type":"system","subtype":"init","session_id":"abcd-1234", oops', "abcd-1234", true],
    ["[system/init] session: 0123abcd", "0123abcd", true],
    ["[init] sessionId=abc.def_ghi", "abc.def_ghi", true],
    ['{"type":"assistant","session_id":"abcd-1234","message":{"conte', "abcd-1234", false],
    ["session_id='short'", undefined, false],
    ["nothing of it", undefined, false],
  ])("%s", (line, sessionId, isInit) => {
    expect(readMalformed(line)).toMatchObject({ sessionId, isInit });
  });

  test("states where the agent works, if that is whole", () => {
    expect(readMalformed('{"cwd":"/work/\\"odd\\"","x').cwd).toBe('/work/"odd"');
    expect(readMalformed('{"cwd":"/wor').cwd).toBeUndefined();
    expect(readMalformed('{"cwd":"\\q"').cwd).toBeUndefined();
  });

  test("is searched at both ends, however long it is", () => {
    const filling = "filling ".repeat(1_000_000);
    expect(readMalformed(`{${filling}"session_id":"abcd-1234"`).sessionId).toBe("abcd-1234");
    expect(readMalformed(`{"session_id":"abcd-1234"${filling}`).sessionId).toBe("abcd-1234");
  });

  test("is never a reason to fail", () => {
    assert(
      property(string({ maxLength: 20_000 }), (line) => {
        expect(readMalformed(line).isInit).toBeTypeOf("boolean");
      }),
    );
  });
});
