import { expect, test } from "vitest";
import { isSendKey } from "./send-key.ts";

const enter = { key: "Enter", shiftKey: false, ctrlKey: false, metaKey: false };

test("Enter sends where there is a keyboard, and breaks the line on a touch screen", () => {
  expect(isSendKey(enter, "send")).toBe(true);
  expect(isSendKey(enter, "enter")).toBe(false);
  expect(isSendKey({ ...enter, shiftKey: true }, "send")).toBe(false);
});

test("Ctrl or Cmd with Enter sends everywhere, and no other key does", () => {
  for (const action of ["send", "enter"] as const) {
    expect(isSendKey({ ...enter, ctrlKey: true }, action)).toBe(true);
    expect(isSendKey({ ...enter, metaKey: true }, action)).toBe(true);
    expect(isSendKey({ ...enter, key: "a" }, action)).toBe(false);
  }
});
