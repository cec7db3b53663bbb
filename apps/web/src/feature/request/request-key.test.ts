import { expect, test } from "vitest";
import { requestKeyFrom } from "./request-key.ts";

function press(key: string, change: object = {}) {
  return { key, altKey: false, ctrlKey: false, metaKey: false, repeat: false, ...change };
}

test("single keys answer a card, in either case", () => {
  expect(requestKeyFrom(press("y"))).toBe("allow");
  expect(requestKeyFrom(press("A"))).toBe("always");
  expect(requestKeyFrom(press("e"))).toBe("edit");
  expect(requestKeyFrom(press("n"))).toBe("deny");
  expect(requestKeyFrom(press("Escape"))).toBe("leave");
});

test("other keys do nothing, whatever their name", () => {
  for (const key of ["x", "Enter", "constructor", "toString"]) {
    expect(requestKeyFrom(press(key))).toBeUndefined();
  }
});

test.each(["altKey", "ctrlKey", "metaKey", "repeat"])("a key with %s answers nothing", (name) => {
  expect(requestKeyFrom(press("y", { [name]: true }))).toBeUndefined();
});
