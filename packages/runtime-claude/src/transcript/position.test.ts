import { describe, expect, test } from "vitest";
import { RuntimeError } from "@turnwire/runtime";
import { idFromPosition, positionFromId } from "./position.ts";

const sessionId = "6efd3a1c-0b1d-4c55-9b7e-1f2a3b4c5d6e";
const message = "f7f20000-0b1d-4c55-9b7e-1f2a3b4c5d6e";

describe("the id of a Claude session", () => {
  test.each([{ sessionId }, { sessionId, after: message }, { sessionId, isStart: true }])(
    "says where to continue, and is read back: %o",
    (position) => {
      expect(positionFromId(idFromPosition(position))).toEqual(position);
    },
  );

  test.each([
    "",
    "latest",
    "../../etc/passwd",
    `${sessionId}/../x`,
    `${sessionId}@`,
    `${sessionId}@end`,
    `${sessionId}\n`,
    sessionId.toUpperCase(),
    `--${sessionId}`,
  ])("is refused when it is anything else: %j", (id) => {
    expect(() => positionFromId(id)).toThrow(RuntimeError);
  });
});
