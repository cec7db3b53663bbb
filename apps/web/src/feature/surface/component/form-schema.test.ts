import { expect, test } from "vitest";
import { entryFrom, fieldsWithEntry, formFieldsFrom, valuesFrom } from "./form-schema.ts";

const fields = formFieldsFrom({
  type: "object",
  properties: {
    name: { type: "string", title: "Name", default: "x" },
    size: { type: "integer" },
    kind: { enum: ["a", "b"] },
    isNew: { type: "boolean" },
    text: { type: "string", format: "multiline" },
  },
  required: ["name"],
});

test("a schema's properties become fields in their order", () => {
  expect(fields.map(({ name, kind, isRequired }) => [name, kind, isRequired])).toEqual([
    ["name", "text", true],
    ["size", "number", false],
    ["kind", "choice", false],
    ["isNew", "boolean", false],
    ["text", "multiline", false],
  ]);
  expect(fields[0]).toMatchObject({ label: "Name", value: "x" });
});

test("values have the types of their fields, and what is empty is left out", () => {
  const data = new FormData();
  data.set("name", "y");
  data.set("size", "3");
  data.set("text", "");
  expect(valuesFrom(fields, data)).toEqual({ name: "y", size: 3, isNew: false });
});

test.each([
  [undefined, "schema must be an object"],
  [{}, "properties must be an object"],
  [{ properties: [] }, "properties must be an object"],
  [{ properties: { a: { type: "array" } } }, "a has a type that forms do not support"],
])("a schema that no form can show is refused: %j", (schema, reason) => {
  expect(() => formFieldsFrom(schema)).toThrow(reason);
});

test("what was entered stands in the fields again, as far as they still take it", () => {
  const data = new FormData();
  data.set("name", "y");
  data.set("size", "");
  data.set("kind", "b");
  data.set("isNew", "on");
  const entry = entryFrom(fields, data);
  expect(entry).toEqual({ name: "y", size: "", kind: "b", isNew: true, text: "" });
  const values = (stored: unknown) => fieldsWithEntry(fields, stored).map(({ value }) => value);
  expect(values(entry)).toEqual(["y", "", "b", true, ""]);
  expect(values({ ...entry, kind: "gone", isNew: "yes" })).toEqual([
    "y",
    "",
    undefined,
    undefined,
    "",
  ]);
  expect(fieldsWithEntry(fields, undefined)).toBe(fields);
});
