import {
  type CatalogEntry,
  checkGrammar,
  type EventData,
  type EventType,
  type JsonObject,
  type SessionEvent,
} from "@turnwire/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import type { SessionHostOptions } from "../../../server/src/3-host/creation/session-host-options.ts";
import { AgentSession, ending, spoken } from "./agent-session.ts";

export interface UiLifeOptions {
  readonly openHost: (options?: Partial<SessionHostOptions>) => SessionHost;
  /** The stand-in knows `text` and `use <tool> <input>`, which says what the tool returned. */
  readonly place: {
    readonly standin: { readonly requests: readonly { readonly body: unknown }[] };
  };
  /** What the agent calls the tool. */
  readonly toolName: (tool: string) => string;
  readonly streamsInput: boolean;
  readonly canFork: boolean;
}

const chart: CatalogEntry = {
  name: "chart",
  description: "Numbers as bars",
  props_schema: {
    type: "object",
    properties: { title: { type: "string" }, data: { type: "array", items: { type: "number" } } },
    required: ["data"],
    additionalProperties: false,
  },
  surfaces: ["chat", "panel"],
};
const plan: CatalogEntry = {
  name: "plan_editor",
  description: "Steps that a person may reorder",
  props_schema: { type: "object" },
  surfaces: ["sidebar"],
};
const table: CatalogEntry = { ...plan, name: "table", description: "Rows and columns" };
const success = { results: ["success"], isError: false, isStopped: false, done: 1 };

/** The promises that an agent's use of the UI keeps, with any agent that has our tools. */
export function testUiLife(options: UiLifeOptions): void {
  const { openHost, place, toolName, streamsInput, canFork } = options;
  let host: SessionHost;
  let session: AgentSession;

  beforeAll(async () => {
    host = openHost();
    session = await AgentSession.create(host, { catalog: [chart] });
  });

  afterAll(async () => {
    const violations = checkGrammar(await session.events());
    await host.close();
    if (violations.length > 0) throw new Error(JSON.stringify(violations));
  });

  const use = (tool: string, input: JsonObject) =>
    session.turn(`SCENARIO:use ${tool} ${JSON.stringify(input)}`);

  /** What the model was sent with its newest call. */
  const sent = () => JSON.stringify(place.standin.requests.at(-1)?.body);

  describe("what the model is given", () => {
    test("has the catalog's names, purposes and schemas", async () => {
      await session.turn("SCENARIO:text hello");
      expect(sent().includes("Numbers as bars")).toBe(true);
      expect(sent().includes('additionalProperties\\":false')).toBe(true);
    });

    test("grows with the catalog: the next message brings what is new, once", async () => {
      await session.execute({ type: "add_to_catalog", entries: [plan] });
      await session.turn("SCENARIO:text hello");
      expect(sent().split("Steps that a person may reorder")).toHaveLength(2);
      await session.turn("SCENARIO:text again");
      expect(sent().split("Steps that a person may reorder")).toHaveLength(2);
    });
  });

  describe("a component", () => {
    test("grows by merging and patching, and is removed, without anyone being asked", async () => {
      const shown = await use("render_component", {
        component_id: "c1",
        name: "chart",
        surface: "chat",
        props: { data: [1] },
      });
      expect(spoken(shown)).toContain('"component_id":"c1"');
      expect(ofType(shown, "component_update")).toMatchObject([{ props: { data: [1] } }]);
      const patches = [{ op: "add", path: "/data/-", value: 2 }];
      const patched = await use("render_component", { component_id: "c1", patches });
      expect(ofType(patched, "component_update")).toMatchObject([{ patches }]);
      const merged = await use("render_component", {
        component_id: "c1",
        merge: true,
        props: { title: "Bars", data: [1, 2, 3] },
      });
      expect(ofType(merged, "component_update")).toMatchObject([{ merge: true }]);
      const removed = await use("remove_component", { component_id: "c1" });
      expect(ofType(removed, "component_remove")).toEqual([{ component_id: "c1" }]);
      for (const events of [shown, patched, merged, removed]) {
        expect(ending(events)).toEqual(success);
        expect(ofType(events, "permission_request")).toEqual([]);
      }
    });

    test("comes with a tool use that says what it is, and belongs to it", async () => {
      const events = await use("render_component", { name: "chart", props: { data: [1] } });
      const [start] = ofType(events, "tool_start");
      expect(start).toMatchObject({
        tool: toolName("render_component"),
        ui_tool: "render_component",
      });
      expect(ofType(events, "component_update")).toMatchObject([
        { tool_use_id: start?.tool_use_id },
      ]);
      const pieces = ofType(events, "tool_input_delta");
      expect(pieces.length > 0).toBe(streamsInput);
      expect(pieces.every(({ ui_tool }) => ui_tool === "render_component")).toBe(true);
      expect(session.session.control.session.capabilities.tool_input_stream).toBe(streamsInput);
    });

    test.each<[string, string, JsonObject]>([
      ["There is no component pie", "render_component", { name: "pie", props: {} }],
      ["sidebar", "render_component", { name: "chart", surface: "sidebar", props: { data: [] } }],
      ["The patch does not apply", "render_component", { component_id: "kept", patches: lost() }],
      ["/data", "render_component", { name: "chart", props: { data: "many" } }],
      ["There is no component c9", "remove_component", { component_id: "c9" }],
      [
        "There is no component pie",
        "ask_user",
        { component_name: "pie", props: {}, surface: "chat" },
      ],
      ["The patch does not apply", "update_state", { patches: lost() }],
    ])("that cannot be is not shown, and the agent learns why: %s", async (why, tool, input) => {
      await use("render_component", { component_id: "kept", name: "chart", props: { data: [] } });
      const events = await use(tool, input);
      expect(spoken(events)).toContain(why);
      const uiTypes = new Set(["component_update", "component_remove", "interrupt", "state_delta"]);
      expect(events.filter(({ type }) => uiTypes.has(type))).toEqual([]);
      expect(ofType(events, "tool_result")).toMatchObject([{ is_error: true }]);
      expect(ending(events)).toEqual(success);
    });

    test("that a person acts in reaches the agent", async () => {
      await use("render_component", { component_id: "kept", name: "chart", props: { data: [] } });
      const { messageId } = await session.execute({
        type: "component_callback",
        component_id: "kept",
        action: "select",
        payload: { bar: 2 },
      });
      if (messageId !== undefined) {
        const started = await session.until(
          "turn_started",
          ({ data }) => data.message_id === messageId,
        );
        await session.ended(started.data.turn_id);
      } else await session.turn("SCENARIO:text what was selected");
      expect(/bar[\\": ]+2/.test(sent())).toBe(true);
    });
  });

  describe("a question in a component", () => {
    const form = { component_name: "chart", props: { data: [4] }, surface: "panel" };
    const ask = async () => {
      const turnId = await session.say(`SCENARIO:use ask_user ${JSON.stringify(form)}`);
      const { data } = await session.until("interrupt", (event) => event.turn_id === turnId);
      expect(data).toMatchObject(form);
      return { turnId, interrupt_id: data.interrupt_id };
    };

    test("waits for a person, whose answer the agent gets", async () => {
      const { turnId, interrupt_id } = await ask();
      const value = { order: [2, 1] };
      await session.execute({ type: "interrupt_response", interrupt_id, value });
      const events = await session.ended(turnId);
      expect(spoken(events)).toContain('"order":[2,1]');
      expect(ending(events)).toEqual(success);
    });

    test("is cancelled with its turn, and the session continues", async () => {
      const { turnId } = await ask();
      await session.execute({ type: "interrupt" });
      const events = await session.ended(turnId);
      expect(ofType(events, "interrupt_resolved")).toMatchObject([{ outcome: "cancelled" }]);
      expect(ending(events)).toMatchObject({ isStopped: true, done: 1 });
      expect(ending(await session.turn("SCENARIO:text next"))).toEqual(success);
    });

    test("is not waited for where no one is there", async () => {
      const prompt = `SCENARIO:use ask_user ${JSON.stringify(form)}`;
      const turnId = await session.say(prompt, { is_unattended: true });
      const events = await session.ended(turnId);
      expect(ofType(events, "interrupt_resolved")).toMatchObject([{ outcome: "expired" }]);
      expect(ending(events)).toEqual(success);
    });
  });

  describe("the shared state", () => {
    test("is changed and read by the agent, which hears of a person's changes", async () => {
      const patches = [{ op: "add", path: "/count", value: 1 }];
      const changed = await use("update_state", { patches });
      expect(ofType(changed, "state_delta")).toMatchObject([{ patches }]);
      const { shared_version: version, shared } = session.session.control;
      expect(shared).toEqual({ count: 1 });
      expect(spoken(changed)).toContain(`"version":${version}`);
      const read = await use("read_state", { path: "/count" });
      expect(spoken(read)).toContain(`{"version":${version},"value":1}`);
      await session.execute({
        type: "state_patch",
        patches: [{ op: "replace", path: "/count", value: 27 }],
      });
      await session.turn("SCENARIO:text what now");
      expect(/count[\\":]+27/.test(sent())).toBe(true);
      const stale = await use("update_state", { patches, base_version: version });
      expect(spoken(stale)).toContain(`version ${version + 1}`);
    });
  });

  test("a policy mode that lets the agent only read does not keep it from the UI", async () => {
    const own = await AgentSession.create(host, { catalog: [chart], policy_mode: "planner" });
    const input = JSON.stringify({ name: "chart", props: { data: [1] } });
    const events = await own.turn(`SCENARIO:use render_component ${input}`);
    expect(ofType(events, "component_update")).toHaveLength(1);
    expect(ofType(events, "policy_decision")).toEqual([]);
    expect(ofType(events, "permission_request")).toEqual([]);
    await own.session.hibernate();
  });

  test.runIf(canFork)("a copy of the session has the tools too", async () => {
    await session.turn("SCENARIO:text before");
    const { forked } = await session.execute({ type: "fork" });
    const copy = await AgentSession.open(host, forked?.session_id ?? "");
    const input = JSON.stringify({ name: "chart", props: { data: [5] } });
    const events = await copy.turn(`SCENARIO:use render_component ${input}`);
    expect(ofType(events, "component_update")).toMatchObject([{ props: { data: [5] } }]);
    expect(copy.session.control.session.capabilities).toMatchObject({ components: true });
    await copy.session.hibernate();
  });

  test("after a sleep the tools work as before, with what was added to the catalog meanwhile", async () => {
    await session.turn("SCENARIO:text awake");
    await session.execute({ type: "add_to_catalog", entries: [table] });
    await session.session.hibernate();
    const events = await use("render_component", { name: "chart", props: { data: [9] } });
    expect(ofType(events, "component_update")).toMatchObject([{ props: { data: [9] } }]);
    expect(sent().includes("Rows and columns")).toBe(true);
    expect(session.session.control.session.capabilities).toMatchObject({
      components: true,
      shared_state: true,
    });
  });
}

function lost(): JsonObject[] {
  return [{ op: "remove", path: "/gone" }];
}

/** The data of the events of one type. */
function ofType<Type extends EventType>(
  events: readonly SessionEvent[],
  type: Type,
): EventData<Type>[] {
  // The type has chosen the event, so the data is of that type.
  return events.filter((event) => event.type === type).map(({ data }) => data as EventData<Type>);
}
