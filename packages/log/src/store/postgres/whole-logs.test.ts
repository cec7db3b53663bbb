import { expect, test } from "vitest";
import { WholeLogs } from "./whole-logs.ts";

test("only the newest are known, however many sessions there have been", () => {
  const logs = new WholeLogs(3);
  for (const sessionId of ["a", "b", "c", "a", "d"]) logs.add(sessionId);
  expect(["a", "b", "c", "d"].filter((sessionId) => logs.has(sessionId))).toEqual(["a", "c", "d"]);
  logs.delete("c");
  logs.add("e");
  expect(["a", "c", "d", "e"].filter((sessionId) => logs.has(sessionId))).toEqual(["a", "d", "e"]);
});
