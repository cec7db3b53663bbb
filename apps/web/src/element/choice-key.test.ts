import { expect, test } from "vitest";
import { choiceKey, typedChoice } from "./choice-key.ts";

const plain = { altKey: false, ctrlKey: false, metaKey: false };
const closed = { isOpen: false, place: 0, count: 3 };
const open = { isOpen: true, place: 1, count: 3 };

test.each(["ArrowDown", "ArrowUp", "Enter", " "])("%j opens a closed list", (key) => {
  expect(choiceKey({ ...plain, key }, closed)).toEqual({ type: "open" });
});

test.each([
  ["ArrowDown", 2],
  ["ArrowUp", 0],
  ["Home", 0],
  ["End", 2],
  ["PageDown", 2],
])("%s moves in an open list and stops at its ends", (key, place) => {
  expect(choiceKey({ ...plain, key }, open)).toEqual({ type: "move", place });
  expect(choiceKey({ ...plain, key: "ArrowDown" }, { ...open, place: 2 })).toEqual({
    type: "move",
    place: 2,
  });
});

test("Tab never takes an option: it closes the list and moves on", () => {
  expect(choiceKey({ ...plain, key: "Tab" }, open)).toEqual({ type: "leave" });
  expect(choiceKey({ ...plain, key: "Tab" }, closed)).toEqual({ type: "none" });
});

test("Enter takes, Escape closes, letters search, and shortcuts pass", () => {
  expect(choiceKey({ ...plain, key: "Enter" }, open)).toEqual({ type: "take" });
  expect(choiceKey({ ...plain, key: "Escape" }, open)).toEqual({ type: "close" });
  expect(choiceKey({ ...plain, key: "o" }, closed)).toEqual({ type: "type" });
  expect(choiceKey({ ...plain, key: "k", ctrlKey: true }, open)).toEqual({ type: "none" });
  expect(choiceKey({ ...plain, key: "ArrowDown", altKey: true }, closed)).toEqual({ type: "none" });
});

test("letters typed in one go are one word", () => {
  const first = typedChoice({ text: "", at: 0 }, "O", 1_000);
  expect(typedChoice(first, "p", 1_200)).toEqual({ text: "op", at: 1_200 });
  expect(typedChoice(first, "p", 3_000)).toEqual({ text: "p", at: 3_000 });
});
