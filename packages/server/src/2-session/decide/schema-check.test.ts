import type { JsonObject } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { schemaProblem } from "./schema-check.ts";

const object = { type: "object" };

function nested(depth: number): JsonObject {
  return depth === 0 ? {} : { type: "object", properties: { a: nested(depth - 1) } };
}

describe("a schema of properties", () => {
  const node = z.object({
    label: z.string().min(1),
    get children() {
      return z.array(node).optional();
    },
  });

  test.each<[string, JsonObject]>([
    ["nothing", {}],
    ["an object", { ...object, properties: { a: { type: ["string", "null"] } } }],
    ["alternatives", { anyOf: [object, { not: { required: ["a"] } }] }],
    ["a tuple of an older draft", { properties: { a: { items: [{}, true] } } }],
    ["a tree", z.toJSONSchema(node) as JsonObject],
    ["what zod makes of an address", z.toJSONSchema(z.object({ a: z.email() })) as JsonObject],
    ["keywords it does not know", { ...object, "x-order": [1], format: "anything" }],
    ["a property that is named like a keyword", { properties: { type: {}, $ref: {}, enum: {} } }],
    [
      "a reference with escapes",
      { $defs: { "a/b": {} }, properties: { c: { $ref: "#/$defs/a~1b" } } },
    ],
    ["31 levels", nested(31)],
  ])("may be %s", (_name, schema) => {
    expect(schemaProblem(schema)).toBeUndefined();
  });

  test.each<[string, JsonObject, string, string]>([
    ["a list", { type: "array" }, "/type", "must be `object`"],
    ["an unknown type", { properties: { a: { type: "text" } } }, "/properties/a/type", "one of"],
    ["no type at all", { properties: { a: { type: [] } } }, "/properties/a/type", "one of"],
    ["properties that are a list", { properties: [] }, "/properties", "an object"],
    ["a schema that is a text", { properties: { a: "string" } }, "/properties/a", "a schema is"],
    ["alternatives that are none", { anyOf: [] }, "/anyOf", "a list of schemas"],
    [
      "a broken pattern",
      { properties: { a: { pattern: "(" } } },
      "/properties/a/pattern",
      "regular",
    ],
    ["a broken name pattern", { patternProperties: { "[": {} } }, "/patternProperties", "regular"],
    ["required as a text", { required: "a" }, "/required", "names"],
    [
      "a negative length",
      { properties: { a: { minLength: -1 } } },
      "/properties/a/minLength",
      "0 or",
    ],
    ["a step of zero", { properties: { a: { multipleOf: 0 } } }, "/properties/a/multipleOf", "0"],
    ["a reference elsewhere", { $ref: "https://example.com/a" }, "/$ref", "in this schema"],
    ["a reference to nothing", { $ref: "#/$defs/a" }, "/$ref", "no schema at that place"],
    ["a reference into a keyword", { ...object, $ref: "#/type" }, "/$ref", "no schema at that"],
    ["an id", { $id: "https://example.com/a" }, "/$id", "not supported"],
    ["a circle", { $ref: "#" }, "/$ref", "without an end"],
    [
      "a circle through alternatives",
      {
        $ref: "#/$defs/a",
        $defs: { a: { anyOf: [{}, { $ref: "#/$defs/b" }] }, b: { $ref: "#/$defs/a" } },
      },
      "/$ref",
      "without an end",
    ],
    ["33 levels", nested(32), "/properties/a".repeat(32), "deeper"],
    ["17 KiB", { description: "x".repeat(17 * 1024) }, "", "bytes"],
  ])("is not %s", (_name, schema, path, problem) => {
    expect(schemaProblem(schema)).toEqual({ path, problem: expect.stringContaining(problem) });
  });
});
