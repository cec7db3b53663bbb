import type { CatalogEntry, JsonObject } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { propsProblem } from "./props-check.ts";

function entry(props_schema: JsonObject): CatalogEntry {
  return { name: "table", description: "A table.", props_schema, surfaces: ["chat"] };
}

const table = entry({
  type: "object",
  properties: {
    rows: { type: "array", items: { type: "object", required: ["name"] } },
    title: { type: "string", maxLength: 20 },
  },
  required: ["rows"],
  additionalProperties: false,
});

describe("properties", () => {
  test.each<[JsonObject]>([
    [{ rows: [] }],
    [{ rows: [{ name: "a" }], title: "Rows", status: "ready" }],
    [{ status: "loading" }],
    [{ status: "error", title: "Broken" }],
  ])("%j fit", (props) => {
    expect(propsProblem(table, props)).toBeUndefined();
  });

  test.each<[JsonObject, string]>([
    [{}, "rows"],
    [{ status: "ready" }, "rows"],
    [{ status: "loading", rows: 1 }, "/rows"],
    [{ rows: [], status: "soon" }, "status"],
    [{ rows: [], colour: "red" }, "colour"],
    [{ rows: [{ name: 1 }, {}] }, "/rows/1"],
    [{ rows: 7, title: "x".repeat(21) }, "/title"],
  ])("%j do not, and the problem names the place", (props, place) => {
    const problem = propsProblem(table, props);
    expect(problem).toMatch(/^The properties do not fit the schema of table: /);
    expect(problem).toContain(place);
  });

  test("with several problems name all of them, but not a hundred", () => {
    expect(propsProblem(table, { rows: 7, title: 3 })).toMatch(/\/rows: .*; \/title: /);
    const rows = Array.from({ length: 100 }, () => ({}));
    expect(propsProblem(table, { rows })?.split(";")).toHaveLength(5);
  });

  test("of a megabyte are checked to the end", () => {
    const rows = Array.from({ length: 9000 }, (_, index) => ({ name: `row ${index}`.padEnd(80) }));
    const bytes = Buffer.byteLength(JSON.stringify({ rows }));
    expect(bytes).toBeGreaterThan(800_000);
    expect(propsProblem(table, { rows })).toBeUndefined();
    expect(propsProblem(table, { rows: [...rows, {}] })).toContain("/rows/9000");
  });

  test("of more than a MiB are refused before anything else", () => {
    const problem = propsProblem(table, { title: "x".repeat(1024 * 1024) });
    expect(problem).toBe(
      "The properties have 1048588 bytes of JSON; at most 1048576 can be shown.",
    );
  });

  test("leave the schema of the catalog as it was", () => {
    const schema = structuredClone(table.props_schema);
    propsProblem(table, { rows: [] });
    expect(Object.getOwnPropertyNames(table.props_schema)).toEqual(
      Object.getOwnPropertyNames(schema),
    );
  });
});

test("a schema that refers to itself without end is refused", () => {
  expect(propsProblem(entry({ $ref: "#" }), {})).toMatch(/could not be checked/);
});
