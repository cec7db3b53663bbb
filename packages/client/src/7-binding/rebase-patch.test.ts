import { applyJsonPatch, type JsonPatchOperation, type JsonValue } from "@turnwire/protocol";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rebasePatch } from "./rebase-patch.ts";

const [a, b, c] = [{ text: "a" }, { text: "b" }, { text: "c" }];

function tick(index: number): JsonPatchOperation[] {
  return [{ op: "add", path: `/list/${index}/done`, value: true }];
}

function listOf(...list: JsonValue[]): JsonValue {
  return { list };
}

describe("a patch for a document that has changed", () => {
  test.each<[string, JsonPatchOperation[], JsonValue, JsonValue, JsonPatchOperation[] | undefined]>(
    [
      ["stays where nothing has", tick(1), listOf(a, b), listOf(a, b), tick(1)],
      ["follows its item behind a new one", tick(1), listOf(a, b), listOf(c, a, b), tick(2)],
      ["follows its item before one that is gone", tick(1), listOf(a, b), listOf(b), tick(0)],
      ["follows its item to another place", tick(0), listOf(a, b, c), listOf(c, b, a), tick(2)],
      ["keeps to an item that was changed itself", tick(1), listOf(a, b), listOf(a, c), tick(1)],
      ["is none where its item is gone", tick(1), listOf(a, b), listOf(a), undefined],
      ["is none where items are alike", tick(1), listOf(a, b), listOf(b, a, a, b, b), undefined],
      [
        "is none where the list is not a list now",
        tick(1),
        listOf(a, b),
        { list: "text" },
        undefined,
      ],
      ["is none where the document is gone", tick(1), listOf(a, b), null, undefined],
      [
        "adds at the end of a list that grew",
        [{ op: "add", path: "/list/2", value: "new" }],
        listOf(a, b),
        listOf(a, b, c),
        [{ op: "add", path: "/list/3", value: "new" }],
      ],
      [
        "adds before the same item",
        [{ op: "add", path: "/list/1", value: "new" }],
        listOf(a, b),
        listOf(c, a, b),
        [{ op: "add", path: "/list/2", value: "new" }],
      ],
      [
        "moves and copies between the same items",
        [
          { op: "move", from: "/list/1", path: "/list/0" },
          { op: "copy", from: "/list/0", path: "/list/-" },
        ],
        listOf(a, b),
        listOf(c, a, b),
        [
          { op: "move", from: "/list/2", path: "/list/1" },
          { op: "copy", from: "/list/1", path: "/list/-" },
        ],
      ],
      [
        "counts from what its own operations leave",
        [{ op: "remove", path: "/list/0" }, ...tick(0)],
        listOf(a, b),
        listOf(c, a, b),
        [{ op: "remove", path: "/list/1" }, ...tick(1)],
      ],
      [
        "leaves names alone, also such as ~ and /",
        [{ op: "replace", path: "/a~1b/~0/1", value: 2 }],
        { "a/b": { "~": [0, 1] } },
        { "a/b": { "~": [7, 0, 1] }, more: true },
        [{ op: "replace", path: "/a~1b/~0/2", value: 2 }],
      ],
      [
        "that never applied stays as it is, so that the server says why",
        [{ op: "remove", path: "/nothing" }],
        { list: [] },
        { list: [1] },
        [{ op: "remove", path: "/nothing" }],
      ],
      [
        "that does not apply any more is none",
        [{ op: "test", path: "/n", value: 1 }],
        { n: 1 },
        { n: 2 },
        undefined,
      ],
    ],
  )("%s", (_name, patches, before, after, expected) => {
    expect(rebasePatch(patches, { before, after })).toEqual(expected);
  });

  test("changes the item that it was made for, or none", () => {
    const ids = fc.uniqueArray(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(ids, ids, fc.nat(), (from, to, pick) => {
        const items = (list: readonly number[]) => list.map((id) => ({ id, done: false }));
        const index = pick % from.length;
        const patches = [{ op: "replace" as const, path: `/${index}/done`, value: true }];
        const [before, after] = [items(from), items(to)];
        const rebased = rebasePatch(patches, { before, after });
        const done = rebased && applyJsonPatch(after, rebased);
        const isKept = to.includes(from[index] ?? -1);
        // One item in the place of another, and nothing else: that is a changed item.
        const isChanged =
          from.length === to.length && from.every((id, at) => at === index || id === to[at]);
        expect(done?.ok ?? false).toBe(isKept || isChanged);
        if (!done?.ok || !isKept) return;
        expect(done.value).toEqual(
          after.map((item) => (item.id === from[index] ? { ...item, done: true } : item)),
        );
      }),
    );
  });
});
