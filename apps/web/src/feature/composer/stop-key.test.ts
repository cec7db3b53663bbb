import { expect, test } from "vitest";
import { stopKey } from "./stop-key.ts";

function press(key: string, change: object = {}) {
  return { key, ctrlKey: false, metaKey: false, repeat: false, timeStamp: 1_000, ...change };
}

test("Escape stops the second time, when that comes soon", () => {
  expect(stopKey(press("Escape"), undefined)).toBe("first");
  expect(stopKey(press("Escape"), 700)).toBe("stop");
  expect(stopKey(press("Escape"), 100)).toBe("first");
});

test("Escape that is held down is one press", () => {
  expect(stopKey(press("Escape", { repeat: true }), 900)).toBeUndefined();
});

test("Ctrl or Command with a dot stops at once, a dot alone is a dot", () => {
  expect(stopKey(press(".", { ctrlKey: true }), undefined)).toBe("stop");
  expect(stopKey(press(".", { metaKey: true }), undefined)).toBe("stop");
  expect(stopKey(press("."), undefined)).toBeUndefined();
});
