import { describe, expect, test } from "vitest";
import { draft, type Surface } from "../index.ts";
import { agentMessages, blocksOf, delta, done, inTurn, stateAfter } from "../test-support/log.ts";

function shown(surface: Surface, props: Record<string, string>, merge = false) {
  const data = { component_id: "c1", name: "card", surface, props, merge };
  return draft("component_update", data, inTurn);
}

const removed = draft("component_remove", { component_id: "c1" });

describe("a component in the chat", () => {
  test("is a block that changes in place", () => {
    const state = stateAfter(shown("chat", { a: "1" }), delta("text"), shown("chat", { b: "2" }));
    expect(blocksOf(state)).toEqual([
      { type: "component", key: "b4", component_id: "c1", name: "card", props: { b: "2" } },
      { type: "text", key: "b5", message_id: "m1", text: "text" },
    ]);
  });

  test("lays new props over the earlier ones where they are merged", () => {
    const state = stateAfter(
      shown("chat", { a: "1", b: "1" }),
      shown("chat", { b: "2", c: "2" }, true),
    );
    expect(blocksOf(state)).toMatchObject([{ props: { a: "1", b: "2", c: "2" } }]);
  });

  test("changes where it was first shown, also in a later turn", () => {
    const state = stateAfter(shown("chat", { a: "1" }), done("t1"), shown("chat", { a: "2" }));
    expect(agentMessages(state)).toMatchObject([{ blocks: [{ props: { a: "2" } }] }]);
  });

  test("keeps the tool it stands for", () => {
    const first = shown("chat", {});
    const linked = { ...first, data: { ...first.data, tool_use_id: "x" } };
    const state = stateAfter(linked, shown("chat", { a: "1" }));
    expect(blocksOf(state)).toMatchObject([{ tool_use_id: "x", props: { a: "1" } }]);
  });

  test("goes when it is removed", () => {
    expect(blocksOf(stateAfter(shown("chat", {}), delta("text"), removed))).toMatchObject([
      { type: "text" },
    ]);
  });
});

describe("a component on another surface", () => {
  test("is listed there in the order of appearance", () => {
    const other = shown("sidebar", {});
    const state = stateAfter(
      shown("sidebar", { a: "1" }),
      { ...other, data: { ...other.data, component_id: "c2" } },
      shown("sidebar", { b: "2" }, true),
    );
    expect(state.surfaces.sidebar).toMatchObject([
      { component_id: "c1", props: { a: "1", b: "2" } },
      { component_id: "c2" },
    ]);
    expect(agentMessages(state)).toEqual([]);
  });

  test("moves with its props when it is shown elsewhere, and is in one place only", () => {
    const toPanel = stateAfter(shown("sidebar", { a: "1" }), shown("panel", { b: "2" }, true));
    expect(toPanel.surfaces).toMatchObject({
      sidebar: [],
      panel: [{ surface: "panel", props: { a: "1", b: "2" } }],
    });
    const toChat = stateAfter(shown("sidebar", { a: "1" }), shown("chat", { b: "2" }, true));
    expect(toChat.surfaces.sidebar).toEqual([]);
    expect(blocksOf(toChat)).toMatchObject([{ props: { a: "1", b: "2" } }]);
    const fromChat = stateAfter(shown("chat", { a: "1" }), shown("overlay", { b: "2" }, true));
    expect(blocksOf(fromChat)).toEqual([]);
    expect(fromChat.surfaces.overlay).toMatchObject([{ props: { a: "1", b: "2" } }]);
  });

  test("goes when it is removed, and leaves the other surfaces the same objects", () => {
    const before = stateAfter(shown("canvas", {}));
    const after = stateAfter(shown("canvas", {}), removed);
    expect(before.surfaces.canvas).toHaveLength(1);
    expect(after.surfaces).toEqual({ sidebar: [], panel: [], overlay: [], canvas: [] });
  });
});

test("removing a component that is not shown changes nothing but the seq", () => {
  const before = stateAfter(delta("x"));
  expect(stateAfter(delta("x"), removed)).toEqual({ ...before, seq: before.seq + 1 });
});

test("props named __proto__ are data", () => {
  const props: Record<string, string> = JSON.parse('{"__proto__":"x"}');
  const state = stateAfter(shown("panel", { a: "1" }), shown("panel", props, true));
  expect(JSON.stringify(state.surfaces.panel[0]?.props)).toBe('{"a":"1","__proto__":"x"}');
});
