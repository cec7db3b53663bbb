import { describe, expect, test } from "vitest";
import {
  draft,
  fold,
  foldAll,
  initialState,
  type JsonPatchOperation,
  type Surface,
} from "../index.ts";
import {
  agentMessages,
  blocksOf,
  delta,
  done,
  inTurn,
  logOf,
  stateAfter,
} from "../test-support/log.ts";

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

  test("keeps the tool it represents", () => {
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

describe("a component that is patched", () => {
  const patch = (...patches: JsonPatchOperation[]) => {
    const data = { component_id: "c1", name: "card", surface: "sidebar" as const, merge: false };
    return draft("component_update", { ...data, props: {}, patches }, inTurn);
  };
  const large = {
    digest: "sha256-0",
    size: 1,
    media_type: "text/plain",
    encoding: "text",
  } as const;

  test("has what the patches make of its props, and moves to where they say", () => {
    const state = stateAfter(
      shown("chat", { a: "1", b: "1" }),
      patch({ op: "replace", path: "/a", value: "2" }, { op: "remove", path: "/b" }),
    );
    expect(state.surfaces.sidebar).toMatchObject([{ props: { a: "2" } }]);
    expect(blocksOf(state)).toEqual([]);
  });

  test.each<[string, JsonPatchOperation[]]>([
    [
      "do not apply",
      [
        { op: "add", path: "/c", value: 1 },
        { op: "remove", path: "/none" },
      ],
    ],
    ["leave no object", [{ op: "replace", path: "", value: [] }]],
  ])("stays as and where it was when the patches %s", (_name, patches) => {
    const before = stateAfter(shown("chat", { a: "1" }));
    const state = stateAfter(shown("chat", { a: "1" }), patch(...patches));
    expect({ ...state, seq: 0 }).toEqual({ ...before, seq: 0 });
  });

  test("is not there when it was not there before", () => {
    expect(stateAfter(patch({ op: "add", path: "/a", value: 1 })).surfaces.sidebar).toEqual([]);
  });

  test("keeps what is stored beside the log where no patch has changed it", () => {
    const attachments = ["/props/a", "/props/ab", "/props/b/0"].map((path) => ({ ...large, path }));
    const events = logOf([
      shown("sidebar", { a: "…", ab: "…" }),
      patch({ op: "test", path: "/ab", value: "…" }, { op: "replace", path: "/a", value: "2" }),
    ]).map((event, index) => (index === 0 ? { ...event, attachments } : event));
    const state = foldAll(initialState(), events);
    expect(state.surfaces.sidebar[0]?.attachments?.map(({ path }) => path)).toEqual([
      "/props/ab",
      "/props/b/0",
    ]);
  });
});

test("a surface that only a newer server knows is kept as it comes", () => {
  // No schema of this build allows it.
  const toast = "toast" as Surface;
  const state = stateAfter(shown(toast, { a: "1" }), shown(toast, { b: "2" }, true));
  expect(state.surfaces).toMatchObject({ toast: [{ props: { a: "1", b: "2" } }] });
  expect(stateAfter(shown(toast, {}), removed).surfaces).toMatchObject({ toast: [] });
});

test("ten thousand components are folded one by one and all at once to the same", () => {
  const many = Array.from({ length: 10_000 }, (_, index) => {
    const event = shown("panel", { n: String(index) }, true);
    // Every tenth changes an earlier one.
    const component_id = `c${index % 10 === 9 ? index - 5 : index}`;
    return { ...event, data: { ...event.data, component_id } };
  });
  const events = logOf(many);
  const state = foldAll(initialState(), events);
  expect(state.surfaces.panel).toHaveLength(9000);
  expect(state.surfaces.panel[4]?.props).toEqual({ n: "9" });
  const some = events.slice(0, 300);
  expect(some.reduce(fold, initialState())).toEqual(foldAll(initialState(), some));
});
