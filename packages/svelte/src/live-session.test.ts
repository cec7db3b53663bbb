import type { EventDraft, Message } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { demoClient } from "./test-support/demo-client.ts";
import { openPage } from "./test-support/open-page.svelte.ts";
import { scriptedClient } from "./test-support/scripted-client.ts";
import { until } from "./test-support/until.svelte.ts";

describe("a session on a page", () => {
  test("shows what is said as it is said", async () => {
    const client = demoClient();
    const { session_id } = await client.sessions.create();
    const { session, element } = openPage(client, session_id);
    await until(() => session.connection.status === "live");
    expect(element.querySelector("#connection")?.textContent).toBe("live");

    session.send("/markdown");
    await until(() => session.messages.length === 2 && !session.isRunning);
    const items = [...element.querySelectorAll("li")];
    expect(items.map((item) => item.dataset["role"])).toEqual(["user", "agent"]);
    expect(items[1]?.textContent).toContain("What markdown can do");
    expect(element.querySelector("#activity")?.textContent).toBe("idle");
  });

  test("becomes another session when its id does, and knows nothing of the first", async () => {
    const client = demoClient();
    const [first, second] = await Promise.all([client.sessions.create(), client.sessions.create()]);
    const { session, element, show } = openPage(client, first.session_id);
    session.send("/thinking");
    await until(() => session.messages.length === 2);
    show(second.session_id);
    await until(() => session.facts.session_id === second.session_id);
    expect(session.id).toBe(second.session_id);
    expect(element.querySelectorAll("li")).toHaveLength(0);
    session.send("hello");
    await until(() => session.messages.length === 2);
    const { state } = await client.sessions.snapshot(second.session_id);
    expect(state.messages).toHaveLength(2);
  });

  test("is followed once, however many show it, until the last one goes", async () => {
    const { client, asked, release, push } = scriptedClient();
    const [first, second] = [openPage(client, "s1"), openPage(client, "s1")];
    await until(() => second.session.connection.status === "live");
    expect(asked).toEqual(["snapshot", "events"]);
    expect(first.session.facts).toBe(second.session.facts);

    await first.close();
    push({ type: "session_updated", data: { title: "Still here" } });
    await until(() => second.session.facts.title === "Still here");
    await second.close();
    await release;
    expect(asked).toEqual(["snapshot", "events"]);
  });
});

describe("5,000 deltas into a long conversation", () => {
  const turns = 25;

  function turn(index: number): EventDraft[] {
    const turn_id = `t${index}`;
    const message_id = `u${index}`;
    return [
      {
        type: "user_message",
        data: { message_id, content: [{ type: "text", text: "Continue" }], delivery: "queue" },
      },
      { type: "turn_started", data: { turn_id, message_id }, turn_id },
      { type: "delta", data: { message_id: `a${index}`, text: `Answer ${index}` }, turn_id },
      { type: "done", data: { turn_id }, turn_id },
    ];
  }

  test("render no finished message again", async () => {
    const { client, push } = scriptedClient();
    const renders = new Map<string, number>();
    const onrender = ({ id }: Message): void => {
      renders.set(id, (renders.get(id) ?? 0) + 1);
    };
    const { session, element } = openPage(client, "s1", { onrender });
    push(...Array.from({ length: turns }, (_, index) => turn(index)).flat());
    await until(() => session.messages.length === 2 * turns && !session.isRunning);
    const finished = session.messages.map(({ id }) => id);
    expect(finished.map((id) => renders.get(id))).toEqual(finished.map(() => expect.any(Number)));
    renders.clear();

    const turn_id = "last";
    push({ type: "turn_started", data: { turn_id }, turn_id });
    const delta: EventDraft = { type: "delta", data: { message_id: "a", text: "." }, turn_id };
    for (let chunk = 0; chunk < 1_000; chunk += 1) push(delta, delta, delta, delta, delta);
    push({ type: "done", data: { turn_id }, turn_id });
    await until(() => session.messages.length === 2 * turns + 1 && !session.isRunning);
    const [streamed = "", ...others] = renders.keys();
    expect(others).toEqual([]);
    expect(finished).not.toContain(streamed);
    expect(renders.get(streamed)).toBeGreaterThan(500);
    expect(element.querySelector("li:last-child")?.textContent).toContain(".".repeat(5_000));
  });
});
