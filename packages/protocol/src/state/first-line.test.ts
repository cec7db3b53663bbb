import { expect, test } from "vitest";
import { firstLine } from "./first-line.ts";

test.each([
  ["Fix it", "Fix it"],
  ["  Fix it\nand more", "Fix it…"],
  [" \n ", ""],
  ["0123456789", "0123456789"],
  ["0123456789a", "012345678…"],
  ["01234567 9abc", "01234567…"],
  // The cut would fall between the two halves of the sign.
  ["01234567👍👍", "01234567…"],
])("the first line of %j, of at most ten characters, is %j", (text, line) => {
  expect(firstLine(text, 10)).toBe(line);
});
