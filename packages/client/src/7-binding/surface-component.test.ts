import {
  draft,
  foldAll,
  initialState,
  type CatalogEntry,
  type EventDraft,
  type SessionState,
} from "@turnwire/protocol";
import { expect, test } from "vitest";
import { placed, ready } from "../test-support/sample-event.ts";
import { createSurfaceList } from "./surface-component.ts";

const base = { description: "A test.", props_schema: { type: "object" } };

const catalog: CatalogEntry[] = [
  {
    ...base,
    name: "plan",
    surfaces: ["sidebar"],
    state_key: "/plan",
  },
  { ...base, name: "count", surfaces: ["chat"], state_key: "/count", surface_for_state: "panel" },
  { ...base, name: "weather", surfaces: ["chat"], tools: [{ tool: "forecast", surface: "panel" }] },
];

const turn = { turn_id: "t" };

function state(...drafts: EventDraft[]): SessionState {
  const started = draft("turn_started", { turn_id: "t", message_id: "m" }, turn);
  const added = draft("catalog_updated", { entries: catalog });
  return foldAll(initialState(), placed([ready, added, started, ...drafts]));
}

const used = (id: string, city: string) =>
  draft(
    "tool_start",
    { message_id: "a", tool_use_id: id, tool: "forecast", input: { city } },
    turn,
  );

const shown = draft(
  "component_update",
  { component_id: "c1", name: "table", surface: "panel", props: {}, merge: false },
  turn,
);

const list = () => createSurfaceList((name) => name !== "unknown");
const idsOf = (components: readonly { component_id: string }[]) =>
  components.map(({ component_id }) => component_id);

test("a part of the shared state is shown while there is one", () => {
  const surfaces = list();
  const snapshot = draft("state_snapshot", { state: { plan: { steps: ["a"] }, count: 3 } });
  const before = state(snapshot);
  expect(surfaces(before, "sidebar")).toEqual([
    {
      component_id: "state:plan",
      name: "plan",
      surface: "sidebar",
      props: { steps: ["a"] },
    },
  ]);
  expect(surfaces(before, "panel")).toMatchObject([
    { component_id: "state:count", props: { value: 3 } },
  ]);
  const gone = draft("state_delta", { patches: [{ op: "remove", path: "/plan" }] });
  expect(surfaces(state(snapshot, gone), "sidebar")).toEqual([]);
});

test("of a tool the newest call is on its surface, after what was put there", () => {
  const surfaces = list();
  const session = state(used("t1", "Nice"), shown, used("t2", "Oslo"));
  expect(surfaces(session, "panel")).toMatchObject([
    { component_id: "c1" },
    { component_id: "tool:t2", name: "weather", props: { city: "Oslo" }, status: "loading" },
  ]);
});

test("what is written for a surface is there before it is complete", () => {
  const partial_json = '{"name":"plan","surface":"sidebar","props":{"steps":["a","b';
  const tool = {
    tool_use_id: "t1",
    tool: "render_component",
    ui_tool: "render_component",
  } as const;
  const session = state(draft("tool_input_delta", { ...tool, partial_json }, turn));
  expect(list()(session, "sidebar")).toMatchObject([
    { component_id: "tool:t1", props: { steps: ["a", "b"] }, status: "loading" },
  ]);
});

test("what did not change is the same object, and so is the list", () => {
  const surfaces = list();
  const first = state(shown, used("t1", "Nice"));
  const before = surfaces(first, "panel");
  const said = draft("delta", { message_id: "b", text: "and" }, turn);
  const second = foldAll(first, placed([said], first.seq));
  expect(surfaces(second, "panel")).toBe(before);
  const third = foldAll(second, placed([used("t2", "Oslo")], second.seq));
  const after = surfaces(third, "panel");
  expect(after[0]).toBe(before[0]);
  expect(idsOf(after)).toEqual(["c1", "tool:t2"]);
});

test("a page without the component shows nothing there", () => {
  const session = state(
    draft("state_snapshot", { state: { plan: {}, count: 1 } }),
    used("t1", "Nice"),
  );
  const surfaces = createSurfaceList(() => false);
  expect([...surfaces(session, "sidebar"), ...surfaces(session, "panel")]).toEqual([]);
});

test("ten thousand components are listed in an instant, again and again", () => {
  const session = state();
  const panel = Array.from({ length: 10_000 }, (_, index) => ({
    component_id: `c${index}`,
    name: "table",
    surface: "panel" as const,
    props: {},
  }));
  const surfaces = list();
  const whole = { ...session, surfaces: { ...session.surfaces, panel } };
  const before = surfaces(whole, "panel");
  expect(before).toHaveLength(10_000);
  expect(surfaces({ ...whole }, "panel")).toBe(before);
});
