// @vitest-environment happy-dom
import { entryOf, type JsonObject } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { surfaceRegistry } from "../apps/web/src/feature/surface/registry.tsx";
import { webAppCatalog } from "../packages/cli/src/server/web-app-catalog.ts";
import { newEntries } from "../packages/server/src/2-session/decide/catalog-check.ts";
import { propsProblem } from "../packages/server/src/2-session/ui/props-check.ts";

const surfaces = ["chat", "sidebar", "panel", "overlay", "canvas"] as const;
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("the catalog is what the web app has, where it has it", () => {
  const names = webAppCatalog.map(({ name }) => name);
  expect(names.toSorted()).toEqual(surfaceRegistry.names().toSorted());
  for (const surface of surfaces) {
    const offered = webAppCatalog.filter((entry) => entry.surfaces.includes(surface));
    expect(offered.map(({ name }) => name).toSorted()).toEqual(
      surfaceRegistry.names(surface).toSorted(),
    );
  }
});

test("the catalog is valid, and small enough for the first event of every session", () => {
  expect(newEntries([], webAppCatalog)).toMatchObject({ ok: true });
  expect(JSON.stringify(webAppCatalog).length).toBeLessThan(8 * 1024);
});

test.each<[string, JsonObject, JsonObject[]]>([
  [
    "table",
    { columns: ["a"], rows: [["x"], [1], [true], [null]], actions: ["refresh"], title: "T" },
    [
      { columns: [1], rows: [] },
      { columns: [], rows: [[{}]] },
      { columns: [], rows: [1] },
    ],
  ],
  [
    "chart",
    { kind: "line", data: [1, 2.5], labels: ["a", "b"] },
    [{ data: ["1"] }, { data: [], kind: "pie" }],
  ],
  [
    "form",
    {
      schema: {
        type: "object",
        properties: {
          version: { type: "string", title: "Version", default: "1" },
          notes: { type: "string", format: "multiline" },
          channel: { enum: ["stable", "beta"] },
          count: { type: "integer" },
        },
        required: ["version"],
      },
      submit_label: "Go",
    },
    [
      {},
      { schema: {} },
      { schema: { properties: { a: { type: "object" } } } },
      { schema: { properties: { a: 1 } } },
    ],
  ],
  ["plan_editor", { title: "Plan", steps: [{ text: "a" }] }, [{ steps: ["a"] }, { steps: [{}] }]],
  ["diff", { unified: "--- a" }, [{}, { unified: 1 }]],
  ["progress", { title: "Work", percent: 40, note: "soon" }, [{ percent: "40" }, { title: 1 }]],
  [
    "approval",
    { action: "Deploy", details: "1.4", options: ["yes", "no"] },
    [{}, { action: "a", options: [1] }],
  ],
  [
    "proof",
    { src: `data:image/png;base64,${pixel}`, alt: "A pixel", caption: "It is there" },
    [
      { src: `data:image/png;base64,${pixel}` },
      { src: "https://example.com/a.png", alt: "A" },
      { src: `data:image/png;base64,${pixel}`, alt: "" },
    ],
  ],
])("catalog and app agree on what a %s may be given", (name, good, bad) => {
  const entry = entryOf(webAppCatalog, name);
  const registered = surfaceRegistry.find(name);
  if (!entry || !registered) throw new Error(`no ${name}`);
  expect(propsProblem(entry, good)).toBeUndefined();
  expect(registered.prepare(good)).toMatchObject({ isValid: true });
  const outcomes = bad.map((props) => ({
    props,
    isRefused: propsProblem(entry, props) !== undefined,
    isShown: registered.prepare(props).isValid,
  }));
  expect(outcomes).toEqual(bad.map((props) => ({ props, isRefused: true, isShown: false })));
});
