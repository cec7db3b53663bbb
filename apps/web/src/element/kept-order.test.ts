import * as fc from "fast-check";
import { expect, test } from "vitest";
import { inOrderOf } from "./kept-order.ts";

test("what is new stays behind the item that it follows", () => {
  const ordered = inOrderOf(["a", "b"], ["new", "b", "after b", "a"], (item) => item);
  expect(ordered).toEqual(["new", "a", "b", "after b"]);
});

test("whatever comes, goes and moves, nothing is lost or doubled and what was known keeps its order", () => {
  const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h"));
  fc.assert(
    fc.property(names, names, (before, items) => {
      const ordered = inOrderOf(before, items, (item) => item);
      expect(ordered.toSorted()).toEqual(items.toSorted());
      expect(ordered.filter((item) => before.includes(item))).toEqual(
        before.filter((item) => items.includes(item)),
      );
    }),
  );
});
