// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { foldedFrom } from "./group-fold.ts";

test("the archive is folded until a person opens it", () => {
  expect([...foldedFrom(null)]).toEqual(["archived"]);
  expect([...foldedFrom('["a"]')]).toEqual(["a"]);
});

test.each(["", "no json", "null", "{}", "[1,{}]"])(
  "whatever is stored, nothing breaks: %j",
  (text) => {
    expect([...foldedFrom(text)]).toEqual([]);
  },
);
