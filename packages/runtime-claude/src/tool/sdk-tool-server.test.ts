import { expect, test } from "vitest";
import type { ServedTool } from "@turnwire/runtime/ui-tool";
import { ToolClient } from "../test-support/tool-client.ts";

/** Answers with what it was called with. */
const echo: ServedTool = {
  name: "echo",
  description: "Says it again",
  inputSchema: { properties: { words: { type: "string" } } },
  call: async (input, { toolUseId }) => ({ text: JSON.stringify({ input, ...toolUseId }) }),
};

test("a session's tools are offered beside those of every session, none hidden behind a search", async () => {
  const client = await ToolClient.connect([echo]);
  const tools = await client.list();
  expect(tools.map(({ name }) => name)).toEqual([
    "render_component",
    "remove_component",
    "ask_user",
    "update_state",
    "read_state",
    "echo",
  ]);
  for (const tool of tools) {
    expect(tool).toMatchObject({
      description: expect.stringMatching(/./),
      inputSchema: { type: "object" },
      _meta: { "anthropic/alwaysLoad": true },
    });
  }
});

test("a tool gets its input, and the use that it is part of where that is known", async () => {
  const client = await ToolClient.connect([echo]);
  const reply = { text: '{"input":{"words":"hi"},"tool_use_id":"toolu_1"}', isError: false };
  expect(await client.call("echo", { words: "hi" }, "toolu_1").reply).toEqual(reply);
  expect(await client.call("echo").reply).toEqual({ text: '{"input":{}}', isError: false });
});

test("a tool that is not served is an error that the model can read", async () => {
  const client = await ToolClient.connect();
  const reply = { text: "There is no tool missing.", isError: true };
  expect(await client.call("missing", {}).reply).toEqual(reply);
});

test("two calls at once are two, each with an id of its own", async () => {
  const client = await ToolClient.connect();
  const card = { name: "Card", surface: "chat", props: {} };
  const calls = [client.call("render_component", card), client.call("render_component", card)];
  const reply = await Promise.all(calls.map(async (call) => (await call.reply).text));
  expect(new Set(reply).size).toBe(2);
});

test("a call that the agent takes back ends, and says so", async () => {
  const client = await ToolClient.connect();
  const form = { component_name: "Form", props: {}, surface: "chat" };
  const call = client.call("ask_user", form);
  const asked = await client.heard(0);
  expect(asked).toMatchObject({ type: "turnwire/interrupt_ask", request_id: expect.any(String) });
  call.cancel();
  const request_id = "request_id" in asked ? asked.request_id : undefined;
  expect(await client.heard(1)).toEqual({ type: "turnwire/ask_cancelled", request_id });
});
