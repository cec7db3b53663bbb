import { describe, expect, test } from "vitest";
import { sessionCursor, sessionPositionFrom } from "./session-cursor.ts";

describe("the cursor of a list of sessions", () => {
  test.each(["s1", "a,b", "x y\n"])("names the place of session %j", (session_id) => {
    const position = { updated_at: "2026-11-16T02:10:59.123Z", session_id };
    expect(sessionPositionFrom(sessionCursor(position))).toEqual(position);
  });

  test.each(["", "s1", ",s1", "2026-11-16T02:10:59.123Z,", "2026-11-16,s1"])(
    "is not %j",
    (text) => {
      expect(sessionPositionFrom(text)).toBeUndefined();
    },
  );
});
