import { checkGrammar, type JsonObject } from "@turnwire/protocol";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { useClaudePlace } from "../test-support/claude-place.ts";
import { ClaudeSession, ending, openClaudeHost, spoken } from "../test-support/claude-session.ts";
import { use } from "../test-support/use-scenario.ts";

const place = useClaudePlace({ scenarios: { use } });
const success = { results: ["success"], isError: false, isStopped: false, done: 1 };

let host: SessionHost;
let shared: ClaudeSession;

beforeAll(async () => {
  host = openClaudeHost(place);
  shared = await ClaudeSession.create(host);
});

afterAll(async () => {
  const violations = checkGrammar(await shared.events());
  await host.close();
  if (violations.length > 0) throw new Error(JSON.stringify(violations));
});

const card = { name: "Card", surface: "chat", props: { title: "Hello", size: 2 } };

describe("a component", () => {
  test("is shown without asking, and the agent learns its id", async () => {
    const events = await shared.turn(`SCENARIO:use render_component ${JSON.stringify(card)}`);
    const shown = events.find((event) => event.type === "component_update");
    expect(shown?.data).toMatchObject({ ...card, merge: false, tool_use_id: expect.any(String) });
    expect(spoken(events)).toBe(`Result: {"component_id":"${shown?.data.component_id}"}`);
    expect(events.some(({ type }) => type === "permission_request")).toBe(false);
    expect(ending(events)).toEqual(success);
  });

  test("is changed and taken away by its id", async () => {
    const change = { ...card, component_id: "c1", props: { size: 3 }, merge: true };
    const changed = await shared.turn(`SCENARIO:use render_component ${JSON.stringify(change)}`);
    expect(changed).toContainEqual(
      expect.objectContaining({ type: "component_update", data: expect.objectContaining(change) }),
    );
    const removed = await shared.turn('SCENARIO:use remove_component {"component_id":"c1"}');
    expect(removed).toContainEqual(
      expect.objectContaining({ type: "component_remove", data: { component_id: "c1" } }),
    );
  });

  test("that the agent describes wrongly is not shown, and the agent learns why", async () => {
    const wrong = { ...card, surface: "ceiling" };
    const events = await shared.turn(`SCENARIO:use render_component ${JSON.stringify(wrong)}`);
    expect(events.some(({ type }) => type === "component_update")).toBe(false);
    expect(spoken(events)).toContain("The input is not valid");
    expect(ending(events)).toEqual(success);
  });
});

describe("what a person does in a component", () => {
  const described = { description: "For tests.", props_schema: {}, surfaces: ["chat" as const] };
  const note = { ...described, name: "note", callbacks: "next_turn" as const };
  const button = { ...described, name: "button" };
  let session: ClaudeSession;

  beforeAll(async () => {
    session = await ClaudeSession.create(host, { catalog: [note, button] });
    for (const { name } of [note, button]) {
      const wish = { component_id: name, name, surface: "chat", props: {} };
      await session.turn(`SCENARIO:use render_component ${JSON.stringify(wish)}`);
    }
  });

  function act(component_id: string, action: string, payload: JsonObject) {
    return session.execute({ type: "component_callback", component_id, action, payload });
  }

  async function turns(): Promise<number> {
    return (await session.events()).filter(({ type }) => type === "turn_started").length;
  }

  test("prompts the agent, which reads what it was", async () => {
    await act("button", "press", { row: 7 });
    const said = await session.until("user_message", ({ data }) => data.callback !== undefined);
    const { data } = await session.until(
      "turn_started",
      (event) => event.data.message_id === said.data.message_id,
    );
    expect(ending(await session.ended(data.turn_id))).toEqual(success);
    const asked = JSON.stringify(place.standin.requests.at(-1)?.body);
    const words = "The person used the component button (component_id button): press";
    expect(asked).toContain(JSON.stringify(`${words}\n{"row":7}`).slice(1, -1));
  });

  test("waits for the next message where the catalog says so, and starts nothing", async () => {
    await session.turn("SCENARIO:text awake");
    const before = await turns();
    await act("note", "press", { row: 8 });
    const events = await session.turn("SCENARIO:text what was pressed");
    expect(spoken(events)).toBe("what was pressed");
    expect(JSON.stringify(place.standin.requests.at(-1)?.body)).toContain('\\"row\\":8');
    expect((await turns()) - before).toBe(1);
  });

  test("and waits so is heard in the turn that runs", async () => {
    const turnId = await session.say("SCENARIO:tool until [ -e acted ]; do sleep 0.1; done");
    await session.until("tool_start", (event) => event.turn_id === turnId);
    await act("note", "release", {});
    writeFileSync(join(place.cwd, "acted"), "");
    const events = await session.ended(turnId);
    expect(spoken(events)).toContain('"action":"release"');
    expect(ending(events)).toEqual(success);
  });
});

describe("a question in a component", () => {
  const form = { component_name: "Form", props: { field: "age" }, surface: "overlay" };
  const prompt = `SCENARIO:use ask_user ${JSON.stringify(form)}`;
  async function asked(session: ClaudeSession): Promise<{ turnId: string; id: string }> {
    const turnId = await session.say(prompt);
    const { data } = await session.until("interrupt", (event) => event.turn_id === turnId);
    expect(data).toMatchObject(form);
    return { turnId, id: data.interrupt_id };
  }

  test("waits for a person, whose answer the agent gets", async () => {
    const { turnId, id } = await asked(shared);
    const value = { age: 41 };
    await shared.execute({ type: "interrupt_response", interrupt_id: id, value });
    const events = await shared.ended(turnId);
    expect(spoken(events)).toBe('Result: {"age":41}');
    expect(ending(events)).toEqual(success);
  });

  test("is cancelled with its turn, and the session continues", async () => {
    const { turnId } = await asked(shared);
    await shared.execute({ type: "interrupt" });
    const events = await shared.ended(turnId);
    const outcomes = events.flatMap((event) =>
      event.type === "interrupt_resolved" ? [event.data.outcome] : [],
    );
    expect(outcomes).toEqual(["cancelled"]);
    expect(ending(events)).toMatchObject({ isStopped: true, done: 1 });
    expect(ending(await shared.turn("SCENARIO:text next"))).toEqual(success);
  });
});
