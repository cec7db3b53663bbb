import type { TurnwireClient } from "@turnwire/client";
import type { FrontendTool } from "@turnwire/client/binding";
import { textOf } from "@turnwire/protocol";
import { mount, unmount } from "svelte";
import { describe, expect, onTestFinished, test } from "vitest";
import type { LiveSession } from "./live-session.svelte.ts";
import { demoClient } from "./test-support/demo-client.ts";
import ToolPage from "./test-support/ToolPage.svelte";
import { until } from "./test-support/until.svelte.ts";

function openTool(client: TurnwireClient, sessionId: string, tool: FrontendTool) {
  const found: LiveSession[] = [];
  const page = mount(ToolPage, {
    target: document.body,
    props: { client, sessionId, tool, onsession: (session) => found.push(session) },
  });
  const close = (): Promise<void> => unmount(page);
  const [session] = found;
  if (!session) throw new Error("the page did not say which session it shows");
  return { session, close };
}

/** A tool that a test answers by hand. */
function createHandTool() {
  const calls: { answer: (color: string) => void; signal: AbortSignal }[] = [];
  let onCall = (): void => {};
  const called = new Promise<void>((resolve) => {
    onCall = resolve;
  });
  const tool: FrontendTool = (_input, { signal }) =>
    new Promise((answer) => {
      calls.push({ answer, signal });
      onCall();
    });
  return { calls, called, tool };
}

async function isAnswered(session: LiveSession): Promise<string> {
  await until(() => session.messages.length === 2 && !session.isRunning);
  return session.messages.map(textOf).at(-1) ?? "";
}

describe("a frontend tool", () => {
  test("is performed in the page, once", async () => {
    const client = demoClient();
    const { session_id } = await client.sessions.create();
    const inputs: unknown[] = [];
    const { session, close } = openTool(client, session_id, (input) => {
      inputs.push(input);
      return "plum";
    });
    onTestFinished(close);
    session.send("/frontend-tool");
    expect(await isAnswered(session)).toContain('It answered `"plum"`');
    expect(inputs).toEqual([{ title: "Pick a colour", options: ["teal", "amber", "plum"] }]);
  });

  test("that throws reports it to the agent", async () => {
    const client = demoClient();
    const { session_id } = await client.sessions.create();
    const { session, close } = openTool(client, session_id, () => {
      throw new Error("No colours today");
    });
    onTestFinished(close);
    session.send("/frontend-tool");
    expect(await isAnswered(session)).toContain("No colours today");
  });

  test("in two pages is performed in one of them", async () => {
    const client = demoClient();
    const { session_id } = await client.sessions.create();
    const [first, second] = [createHandTool(), createHandTool()];
    const { session, close } = openTool(client, session_id, first.tool);
    onTestFinished(close);
    onTestFinished(openTool(demoClient(), session_id, second.tool).close);
    session.send("/frontend-tool");
    await Promise.race([first.called, second.called]);
    for (const { answer } of [...first.calls, ...second.calls]) answer("amber");
    expect(await isAnswered(session)).toContain('It answered `"amber"`');
    expect(first.calls.length + second.calls.length).toBe(1);
    const { events } = await client.sessions.eventPage(session_id, { limit: 1000 });
    expect(events.filter(({ type }) => type === "tool_call_resolved")).toHaveLength(1);
  });

  test("is aborted when its component goes", async () => {
    const client = demoClient();
    const { session_id } = await client.sessions.create();
    const hand = createHandTool();
    const { session, close } = openTool(client, session_id, hand.tool);
    session.send("/frontend-tool");
    await hand.called;
    await close();
    expect(hand.calls[0]?.signal.aborted).toBe(true);
  });
});
