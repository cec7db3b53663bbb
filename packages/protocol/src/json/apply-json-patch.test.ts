import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  applyJsonPatch,
  fold,
  initialState,
  type JsonPatchOperation,
  type JsonValue,
  type SessionEvent,
} from "../index.ts";

interface Case {
  readonly name: string;
  readonly document: JsonValue;
  readonly patches: JsonPatchOperation[];
  readonly value?: JsonValue;
}

/** The examples of RFC 6902, appendix A, and of JSON pointers in RFC 6901. */
const cases: Case[] = [
  {
    name: "A.1 adds a member",
    document: { foo: "bar" },
    patches: [{ op: "add", path: "/baz", value: "qux" }],
    value: { foo: "bar", baz: "qux" },
  },
  {
    name: "A.2 adds an array element",
    document: { foo: ["bar", "baz"] },
    patches: [{ op: "add", path: "/foo/1", value: "qux" }],
    value: { foo: ["bar", "qux", "baz"] },
  },
  {
    name: "A.3 removes a member",
    document: { baz: "qux", foo: "bar" },
    patches: [{ op: "remove", path: "/baz" }],
    value: { foo: "bar" },
  },
  {
    name: "A.4 removes an array element",
    document: { foo: ["bar", "qux", "baz"] },
    patches: [{ op: "remove", path: "/foo/1" }],
    value: { foo: ["bar", "baz"] },
  },
  {
    name: "A.5 replaces a value",
    document: { baz: "qux", foo: "bar" },
    patches: [{ op: "replace", path: "/baz", value: "boo" }],
    value: { baz: "boo", foo: "bar" },
  },
  {
    name: "A.6 moves a value",
    document: { foo: { bar: "baz", waldo: "fred" }, qux: { corge: "grault" } },
    patches: [{ op: "move", from: "/foo/waldo", path: "/qux/thud" }],
    value: { foo: { bar: "baz" }, qux: { corge: "grault", thud: "fred" } },
  },
  {
    name: "A.7 moves an array element",
    document: { foo: ["all", "grass", "cows", "eat"] },
    patches: [{ op: "move", from: "/foo/1", path: "/foo/3" }],
    value: { foo: ["all", "cows", "eat", "grass"] },
  },
  {
    name: "A.8 passes a test",
    document: { baz: "qux", foo: ["a", 2, "c"] },
    patches: [
      { op: "test", path: "/baz", value: "qux" },
      { op: "test", path: "/foo/1", value: 2 },
    ],
    value: { baz: "qux", foo: ["a", 2, "c"] },
  },
  {
    name: "A.9 fails a test",
    document: { baz: "qux" },
    patches: [{ op: "test", path: "/baz", value: "bar" }],
  },
  {
    name: "A.10 adds a nested object",
    document: { foo: "bar" },
    patches: [{ op: "add", path: "/child", value: { grandchild: {} } }],
    value: { foo: "bar", child: { grandchild: {} } },
  },
  {
    name: "A.12 fails to add below nothing",
    document: { foo: "bar" },
    patches: [{ op: "add", path: "/baz/bat", value: "qux" }],
  },
  {
    name: "A.14 reads ~01 as ~1 and not as /",
    document: { "/": 9, "~1": 10 },
    patches: [{ op: "test", path: "/~01", value: 10 }],
    value: { "/": 9, "~1": 10 },
  },
  {
    name: "A.15 distinguishes text from numbers",
    document: { "/": 9, "~1": 10 },
    patches: [{ op: "test", path: "/~01", value: "10" }],
  },
  {
    name: "A.16 adds at the end of an array",
    document: { foo: ["bar"] },
    patches: [{ op: "add", path: "/foo/-", value: ["abc", "def"] }],
    value: { foo: ["bar", ["abc", "def"]] },
  },
  {
    name: "an empty pointer replaces the whole document",
    document: { a: 1 },
    patches: [{ op: "replace", path: "", value: [1] }],
    value: [1],
  },
  {
    name: "a removed document leaves null",
    document: { a: 1 },
    patches: [{ op: "remove", path: "" }],
    value: null,
  },
  {
    name: "a copy is a value of its own",
    document: { a: { b: 1 } },
    patches: [
      { op: "copy", from: "/a", path: "/c" },
      { op: "replace", path: "/c/b", value: 2 },
    ],
    value: { a: { b: 1 }, c: { b: 2 } },
  },
  {
    name: "a move onto itself changes nothing",
    document: { a: 1 },
    patches: [{ op: "move", from: "/a", path: "/a" }],
    value: { a: 1 },
  },
  {
    name: "a member may have an empty name",
    document: { "": { "": 1 } },
    patches: [{ op: "replace", path: "//", value: 2 }],
    value: { "": { "": 2 } },
  },
  {
    name: "objects are equal in any order",
    document: { a: { x: 1, y: [null, { z: 2 }] } },
    patches: [{ op: "test", path: "/a", value: { y: [null, { z: 2 }], x: 1 } }],
    value: { a: { x: 1, y: [null, { z: 2 }] } },
  },
  {
    name: "a value inside an array inside an object changes",
    document: { a: [{ b: 1 }, { b: 2 }] },
    patches: [{ op: "replace", path: "/a/1/b", value: 3 }],
    value: { a: [{ b: 1 }, { b: 3 }] },
  },
];

const misfits: { name: string; patch: JsonPatchOperation }[] = [
  { name: "replace what is not there", patch: { op: "replace", path: "/none", value: 1 } },
  { name: "remove what is not there", patch: { op: "remove", path: "/none" } },
  { name: "move what is not there", patch: { op: "move", from: "/none", path: "/a" } },
  { name: "copy what is not there", patch: { op: "copy", from: "/none", path: "/a" } },
  { name: "test what is not there", patch: { op: "test", path: "/none", value: null } },
  { name: "move into itself", patch: { op: "move", from: "/a", path: "/a/b" } },
  { name: "move an item into itself", patch: { op: "move", from: "/items/0", path: "/items/0/x" } },
  { name: "add behind an array's end", patch: { op: "add", path: "/list/3", value: 1 } },
  { name: "replace behind an array's end", patch: { op: "replace", path: "/list/-", value: 1 } },
  { name: "remove behind an array's end", patch: { op: "remove", path: "/list/2" } },
  { name: "use a name as an index", patch: { op: "add", path: "/list/x", value: 1 } },
  { name: "use a leading zero", patch: { op: "add", path: "/list/01", value: 1 } },
  { name: "use a negative index", patch: { op: "remove", path: "/list/-1" } },
  { name: "use an array's length", patch: { op: "replace", path: "/list/length", value: 0 } },
  { name: "go through a text", patch: { op: "add", path: "/text/0", value: "x" } },
  { name: "test a longer list", patch: { op: "test", path: "/list", value: [1] } },
  { name: "test a list by an object", patch: { op: "test", path: "/list", value: { 0: 1, 1: 2 } } },
  { name: "test another member", patch: { op: "test", path: "/a", value: { c: 1 } } },
  { name: "use a pointer without /", patch: { op: "add", path: "a", value: 1 } },
  { name: "use a bad escape", patch: { op: "add", path: "/~2", value: 1 } },
  { name: "read the prototype", patch: { op: "copy", from: "/__proto__", path: "/x" } },
  { name: "read the constructor", patch: { op: "test", path: "/constructor", value: null } },
  { name: "write below the prototype", patch: { op: "add", path: "/__proto__/x", value: 1 } },
];

function deepFreeze(value: JsonValue): void {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(deepFreeze);
  Object.freeze(value);
}

describe("a JSON patch", () => {
  test.each(cases)("$name", ({ document, patches, value }) => {
    const frozen = structuredClone(document);
    deepFreeze(frozen);
    const result = applyJsonPatch(frozen, patches);
    expect(result).toMatchObject(value === undefined ? { ok: false } : { ok: true, value });
    expect(frozen).toEqual(document);
  });

  test.each(misfits)("is refused when it would $name", ({ patch }) => {
    const document = { a: { b: 1 }, list: [1, 2], items: [{}, {}], text: "abc" };
    const result = applyJsonPatch(document, [patch]);
    expect(result).toEqual({
      ok: false,
      problem: expect.stringContaining(`patch 0 (${patch.op} `),
    });
  });

  test("is applied whole or not at all", () => {
    const document = { a: 1 };
    const result = applyJsonPatch(document, [
      { op: "add", path: "/b", value: 2 },
      { op: "remove", path: "/none" },
    ]);
    expect(result).toMatchObject({ ok: false, problem: expect.stringContaining("patch 1") });
    expect(document).toEqual({ a: 1 });
  });

  test("that names an unknown operation is refused", () => {
    const patch = { op: "explode", path: "/a" } as unknown as JsonPatchOperation;
    expect(applyJsonPatch({}, [patch])).toMatchObject({ ok: false });
  });

  test("shares what it does not touch", () => {
    const document = { touched: { x: 1 }, untouched: { y: [1, 2, 3] } };
    const result = applyJsonPatch(document, [{ op: "add", path: "/touched/z", value: 2 }]);
    expect(result.ok && result.value).toHaveProperty("untouched", document.untouched);
    const untouched = result.ok ? Object.values(result.value ?? {})[1] : undefined;
    expect(untouched).toBe(document.untouched);
  });

  test("writes a member called __proto__ as data", () => {
    const result = applyJsonPatch({ a: {} }, [
      { op: "add", path: "/a/__proto__", value: { polluted: true } },
      { op: "add", path: "/a/__proto__/more", value: 1 },
    ]);
    const text = result.ok ? JSON.stringify(result.value) : result.problem;
    expect(text).toBe('{"a":{"__proto__":{"polluted":true,"more":1}}}');
    expect({}).not.toHaveProperty("polluted");
  });

  test("that adds and then removes a member gives the document back", () => {
    const key = fc.oneof(fc.string(), fc.constantFrom("__proto__", "a/b", "~", "~1", "-", "0"));
    fc.assert(
      fc.property(
        fc.dictionary(key, fc.jsonValue()),
        key,
        fc.jsonValue(),
        (document, name, value) => {
          fc.pre(!Object.hasOwn(document, name));
          const path = `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
          const json = value as JsonValue;
          const result = applyJsonPatch(document as JsonValue, [
            { op: "add", path, value: json },
            { op: "test", path, value: json },
            { op: "remove", path },
          ]);
          expect(JSON.stringify(result.ok ? result.value : result.problem)).toBe(
            JSON.stringify(document),
          );
        },
      ),
    );
  });
});

describe("a patch that makes much of little", () => {
  const bomb = (copies: number): JsonPatchOperation[] => [
    { op: "add", path: "", value: { text: "boom" } },
    ...Array.from({ length: copies }, (_, index): JsonPatchOperation => {
      return { op: "copy", from: "", path: `/copy${index}` };
    }),
  ];

  test("is refused when the document would be too large as text, however small the patch", () => {
    const result = applyJsonPatch({}, bomb(40));
    expect(result).toMatchObject({ ok: false, problem: expect.stringContaining("larger than") });
    expect(applyJsonPatch({}, bomb(5))).toMatchObject({ ok: true });
  });

  test("is refused when it nests the document too deeply", () => {
    const nested = Array.from({ length: 120 }, (_, index): JsonPatchOperation => {
      return { op: "add", path: "/a".repeat(index + 1), value: {} };
    });
    expect(applyJsonPatch({}, nested)).toMatchObject({
      ok: false,
      problem: expect.stringContaining("nested deeper"),
    });
    expect(applyJsonPatch({}, nested.slice(0, 90))).toMatchObject({ ok: true });
  });

  test("is refused when its operations together copy too much", () => {
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, key) => [`k${key}`, 0]));
    const patches = Array.from({ length: 1_000 }, (): JsonPatchOperation => {
      return { op: "replace", path: "/k1", value: 1 };
    });
    expect(applyJsonPatch(wide, patches)).toMatchObject({
      ok: false,
      problem: expect.stringContaining("too many steps"),
    });
    expect(applyJsonPatch(wide, patches.slice(0, 20))).toMatchObject({ ok: true });
  });

  test("may make smaller what is too large already", () => {
    const large = { a: "x".repeat(2_000_000), b: 1 };
    expect(applyJsonPatch(large, [{ op: "replace", path: "/b", value: 2 }])).toMatchObject({
      ok: true,
    });
    expect(applyJsonPatch(large, [{ op: "add", path: "/c", value: "more" }])).toMatchObject({
      ok: false,
    });
    expect(applyJsonPatch(large, [{ op: "remove", path: "/a" }])).toEqual({
      ok: true,
      value: { b: 1 },
    });
  });

  test("leaves the state as it was where a log has one already", () => {
    const event: SessionEvent = {
      seq: 1,
      ts: "2026-01-01T00:00:00.000Z",
      type: "state_delta",
      data: { patches: bomb(40), by: "me" },
    };
    const before = { ...initialState(), shared: { kept: true } };
    expect(fold(before, event).shared).toEqual({ kept: true });
  });
});
