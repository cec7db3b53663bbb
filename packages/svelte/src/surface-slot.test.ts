import type { EventDraft, JsonObject, Surface } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { createRegistry } from "./component-registry.ts";
import { demoClient } from "./test-support/demo-client.ts";
import { openPage, type OpenPage } from "./test-support/open-page.svelte.ts";
import Probe from "./test-support/Probe.svelte";
import { scriptedClient, type ScriptedClient } from "./test-support/scripted-client.ts";
import { until } from "./test-support/until.svelte.ts";

const everywhere = ["chat", "sidebar", "panel", "overlay", "canvas"] as const;

const registry = createRegistry({
  probe: { component: Probe, surfaces: everywhere },
  approval: { component: Probe, surfaces: ["sidebar", "chat"] },
  panelOnly: { component: Probe, surfaces: ["panel"] },
  strict: {
    component: Probe,
    surfaces: everywhere,
    parse: (props: unknown): JsonObject => {
      if (JSON.stringify(props).includes("wrong")) throw new Error("percent is missing");
      return { parsed: true };
    },
  },
});

function shown(
  id: string,
  props: JsonObject,
  rest: { name?: string; merge?: boolean } = {},
): EventDraft {
  const { name = "probe", merge = false } = rest;
  return {
    type: "component_update",
    data: { component_id: id, name, surface: "sidebar", props, merge },
  };
}

function waiting(surface: Surface): EventDraft {
  return {
    type: "interrupt",
    data: { interrupt_id: "i1", component_name: "approval", props: { action: "Deploy" }, surface },
  };
}

async function openScripted(): Promise<OpenPage & ScriptedClient> {
  const scripted = scriptedClient();
  const page = openPage(scripted.client, "s1", { registry });
  await until(() => page.session.connection.status === "live");
  return { ...scripted, ...page };
}

function text(page: OpenPage, selector: string): string | undefined {
  return page.element.querySelector(selector)?.textContent?.trim();
}

function press(page: OpenPage, selector: string): void {
  const button = page.element.querySelector(selector);
  if (!(button instanceof HTMLElement)) throw new Error(`no button ${selector}`);
  button.click();
}

describe("a surface", () => {
  test("shows what the agent puts there, as it changes, until it is taken away", async () => {
    const page = await openScripted();
    page.push(shown("a", { percent: 1 }), shown("b", { percent: 7 }));
    await until(() => page.session.surfaces.sidebar.length === 2);
    const first = page.element.querySelector("#a");
    expect(text(page, "#sidebar #a code")).toBe('{"percent":1}');

    page.push(shown("a", { done: true }, { merge: true }), {
      type: "component_remove",
      data: { component_id: "b" },
    });
    await until(() => page.session.surfaces.sidebar.length === 1);
    expect(text(page, "#sidebar #a code")).toBe('{"percent":1,"done":true}');
    expect(page.element.querySelector("#a")).toBe(first);
    expect(page.element.querySelector("#b")).toBeNull();
  });

  test("that is empty shows what stands there for that", async () => {
    const page = await openScripted();
    expect(text(page, "#panel")).toBe("Nothing here");
    expect(text(page, "#sidebar")).toBe("");
  });

  test("brings what a person does in a component to the agent", async () => {
    const page = await openScripted();
    page.push(shown("a", {}));
    await until(() => page.session.surfaces.sidebar.length === 1);
    press(page, "#a button[name=callback]");
    await expect
      .poll(() => page.commands)
      .toEqual([
        {
          type: "component_callback",
          client_callback_id: expect.any(String),
          component_id: "a",
          action: "pressed",
          payload: { from: "a" },
        },
      ]);
  });

  test("shows a component that waits, with the way to answer, until it is answered", async () => {
    const page = await openScripted();
    page.push(waiting("sidebar"));
    await until(() => page.session.requests.length === 1);
    expect(text(page, "#sidebar small")).toBe("requested");
    press(page, "#sidebar button[name=respond]");
    await until(() => page.session.requests[0]?.progress.status === "responding");
    expect(text(page, "#sidebar small")).toBe("responding");
    await expect
      .poll(() => page.commands)
      .toEqual([{ type: "interrupt_response", interrupt_id: "i1", value: "approve" }]);
    page.push({ type: "interrupt_resolved", data: { interrupt_id: "i1", outcome: "answered" } });
    await until(() => page.session.requests.length === 0);
    expect(text(page, "#sidebar")).toBe("");
  });
});

describe("a component that cannot be shown", () => {
  test.each([
    ["not registered", "toString", {}, "unknown"],
    ["is not made for the surface", "panelOnly", {}, "misplaced"],
    ["has props it cannot take", "strict", { wrong: 1 }, "invalid"],
    ["throws", "probe", { fails: true }, "broken"],
  ] as const)(
    "because it %s leaves a note, and the others stay",
    async (_, name, props, problem) => {
      const page = await openScripted();
      page.push(shown("bad", props, { name }), shown("good", { fine: 1 }));
      await until(() => page.session.surfaces.sidebar.length === 2);
      const note = page.element.querySelector("#sidebar [role=note]");
      expect(note?.getAttribute("data-turnwire-problem")).toBe(problem);
      expect(note?.textContent).toContain(name);
      expect(text(page, "#good code")).toBe('{"fine":1}');
    },
  );

  test("gets another chance with other props", async () => {
    const page = await openScripted();
    page.push(shown("a", { fails: true }));
    await until(() => page.session.surfaces.sidebar.length === 1);
    expect(text(page, "#sidebar [role=note]")).toContain("asked to fail");
    page.push(shown("a", { fails: false }));
    await until(() => page.session.surfaces.sidebar[0]?.props["fails"] === false);
    expect(text(page, "#a code")).toBe('{"fails":false}');
    expect(page.element.querySelector("[role=note]")).toBeNull();
  });
});

describe("in the chat", () => {
  test("a component stands where the agent put it, and an interrupt keeps its answer", async () => {
    const client = demoClient();
    const { session_id } = await client.sessions.create();
    const page = openPage(client, session_id, { registry });
    page.session.send("/interrupt");
    await until(() => page.session.requests.length === 1);
    expect(text(page, "li article code")).toContain("Deploy to production");
    press(page, "li button[name=respond]");
    await until(() => !page.session.isRunning && page.session.requests.length === 0);
    expect(text(page, "li article small")).toBe('resolved "approve"');
    expect(page.element.querySelector("li button[name=respond]")).toBeNull();
    expect(text(page, "li:last-child")).toContain("Approved");
  });

  test("an interrupt on another surface is shown there alone", async () => {
    const page = await openScripted();
    page.push(waiting("sidebar"));
    await until(() => page.session.requests.length === 1);
    expect(page.element.querySelectorAll("article")).toHaveLength(1);
    expect(page.element.querySelector("li article")).toBeNull();
  });

  test("parsed props are what a component gets", async () => {
    const page = await openScripted();
    page.push({
      type: "component_update",
      data: { component_id: "c", name: "strict", surface: "chat", props: { a: 1 }, merge: false },
    });
    await until(() => page.session.messages.length === 1);
    expect(text(page, "li #c code")).toBe('{"parsed":true}');
  });
});

test("a registry names what may be on a surface", () => {
  expect(registry.names()).toEqual(["probe", "approval", "panelOnly", "strict"]);
  expect(registry.names("sidebar")).toEqual(["probe", "approval", "strict"]);
});

describe("a tool use", () => {
  const entry = {
    name: "probe",
    description: "For tests.",
    props_schema: { type: "object" },
    surfaces: ["chat" as const],
    tools: [{ tool: "forecast" }],
  };
  const used = (tool: string): EventDraft => ({
    type: "tool_input_delta",
    turn_id: "t1",
    data: { tool_use_id: "u1", tool, partial_json: '{"city":"Ni' },
  });

  test("is the component that the catalog has for it, from its first words on", async () => {
    const page = await openScripted();
    page.push({ type: "catalog_updated", data: { entries: [entry] } }, used("forecast"));
    await until(() => page.element.querySelector("li article") !== null);
    expect(text(page, "li article code")).toBe('{"city":"Ni"}');
    expect(page.element.querySelector("li i")).toBeNull();
  });

  test("without such a component is what the page has for it", async () => {
    const page = await openScripted();
    page.push(used("forecast"));
    await until(() => page.element.querySelector("li i") !== null);
    expect(text(page, "li i")).toBe("forecast");
  });

  test("a part of the shared state is on its surface while there is one", async () => {
    const page = await openScripted();
    const shown = { ...entry, state_key: "/plan", surface_for_state: "sidebar" as const };
    page.push(
      { type: "catalog_updated", data: { entries: [shown] } },
      { type: "state_snapshot", data: { state: { plan: { steps: 2 } } } },
    );
    await until(() => page.element.querySelector("#sidebar article") !== null);
    expect(text(page, "#sidebar code")).toBe('{"steps":2}');
    page.push({ type: "state_delta", data: { patches: [{ op: "remove", path: "/plan" }] } });
    await until(() => page.element.querySelector("#sidebar article") === null);
  });
});
