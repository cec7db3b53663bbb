import { describe, expect, test } from "vitest";
import { explanation } from "./component-failure.ts";
import { createRegistry } from "./component-registry.ts";
import { interruptLink, resolveComponent } from "./placed-component.ts";
import type { InterruptRequest } from "./session-request.ts";

const registry = createRegistry({
  table: { component: "the table", surfaces: ["chat", "panel"] },
  chart: {
    component: "the chart",
    surfaces: ["panel"],
    parse: (value: unknown) => {
      if (JSON.stringify(value) === "{}") throw new Error("points are missing");
      return { parsed: value };
    },
  },
});

const place = { component_id: "c1", surface: "chat" } as const;

describe("a registry", () => {
  test("lists its names, all or of one surface", () => {
    expect(registry.names()).toEqual(["table", "chart"]);
    expect(registry.names("chat")).toEqual(["table"]);
  });

  test("knows no name that was not registered, whatever objects have by themselves", () => {
    expect(registry.find("constructor")).toBeUndefined();
  });
});

describe("a component in its place", () => {
  test("gets the props as they came where it has no parser", () => {
    const props = { rows: 2 };
    const resolved = resolveComponent(registry, { ...place, name: "table", props });
    expect(resolved).toEqual({
      type: "component",
      prepared: { component: "the table", props },
    });
  });

  test("gets what its parser made of the props", () => {
    const props = { points: [1] };
    const resolved = resolveComponent(registry, {
      ...place,
      surface: "panel",
      name: "chart",
      props,
    });
    expect(resolved).toEqual({
      type: "component",
      prepared: { component: "the chart", props: { parsed: props } },
    });
  });

  test.each([
    ["unknown", { ...place, name: "map" }, "this page has no such component."],
    ["misplaced", { ...place, name: "chart" }, "not made for the chat."],
    [
      "invalid",
      { ...place, surface: "panel" as const, name: "chart" },
      "cannot take: points are missing",
    ],
  ])("is not shown, and explains why, where it is %s", (problem, placed, words) => {
    const resolved = resolveComponent(registry, { ...placed, props: {} });
    if (resolved.type !== "failure") throw new Error("it is shown");
    expect(resolved.failure).toMatchObject({ ...placed, problem });
    expect(explanation(resolved.failure)).toContain(words);
  });

  test("that threw is reported with its message", () => {
    const failure = { ...place, name: "table", problem: "broken", error: new Error("no") } as const;
    expect(explanation(failure)).toBe("“table” failed: no");
  });
});

describe("what an interrupt is linked with", () => {
  const values: unknown[] = [];
  const request: InterruptRequest = {
    type: "interrupt",
    id: "i1",
    request: { interrupt_id: "i1", component_name: "approval", props: {}, surface: "chat" },
    progress: { status: "requested" },
    respond: ({ value }) => values.push(value),
  };

  test("lets it be answered while it is open", () => {
    interruptLink(request).respond?.("yes");
    expect(values).toEqual(["yes"]);
  });

  test("has its value and no way to answer once it has ended", () => {
    const progress = { status: "resolved", outcome: "answered" } as const;
    expect(interruptLink({ ...request, progress }, "yes")).toEqual({ progress, value: "yes" });
  });
});
