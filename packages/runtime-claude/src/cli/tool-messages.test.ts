import type { JsonObject } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { PendingRequests } from "../tool/pending-requests.ts";
import { type ClaudeToolCall, ToolServer } from "../tool/tool-server.ts";
import { type ServedTool, UiNews, unknownUi } from "@turnwire/runtime/ui-tool";
import { ToolMessages } from "./tool-messages.ts";

const echo: ServedTool = {
  name: "echo",
  description: "Says it again",
  inputSchema: {},
  call: async (input, { toolUseId }) => ({ text: JSON.stringify({ input, ...toolUseId }) }),
};
const broken: ServedTool = { ...echo, name: "broken", call: () => Promise.reject(new Error("Oh")) };

/** Waits until the agent takes the call back. */
const patient: ServedTool = {
  ...echo,
  name: "patient",
  call: (_, { signal }) =>
    new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve({ text: "Taken back" }));
    }),
};

function serve(...tools: ServedTool<ClaudeToolCall>[]): ToolMessages {
  const news = new UiNews(unknownUi);
  const emit = (): void => undefined;
  const requests = new PendingRequests(emit, () => false);
  const taken = async (): Promise<void> => undefined;
  return new ToolMessages(
    new ToolServer({ requests, emit, taken, news: () => news, isFresh: true, tools }),
  );
}

const lasting = new AbortController().signal;

function call(id: number, name: string, more: JsonObject = {}): JsonObject {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, ...more } };
}

function said(id: number, text: string, isError = false): JsonObject {
  return { jsonrpc: "2.0", id, result: { content: [{ type: "text", text }], isError } };
}

test("introduces itself in the version of MCP that the CLI speaks", async () => {
  const params = { protocolVersion: "2025-06-18", capabilities: {} };
  const answer = await serve().answer(
    { jsonrpc: "2.0", id: 0, method: "initialize", params },
    lasting,
  );
  expect(answer).toMatchObject({
    jsonrpc: "2.0",
    id: 0,
    result: {
      protocolVersion: "2025-06-18",
      capabilities: { tools: {} },
      serverInfo: { name: "turnwire", version: expect.stringMatching(/^\d/) },
    },
  });
});

test("lists the tools and calls them, by ids that are numbers or texts", async () => {
  const server = serve(echo);
  const list = await server.answer({ jsonrpc: "2.0", id: "a", method: "tools/list" }, lasting);
  expect(list).toMatchObject({
    id: "a",
    result: { tools: expect.arrayContaining([expect.objectContaining({ name: "echo" })]) },
  });
  const _meta = { "claudecode/toolUseId": "toolu_1" };
  const answer = await server.answer(
    call(1, "echo", { arguments: { words: "hi" }, _meta }),
    lasting,
  );
  expect(answer).toEqual(said(1, '{"input":{"words":"hi"},"tool_use_id":"toolu_1"}'));
  expect(await server.answer(call(2, "none"), lasting)).toEqual(
    said(2, "There is no tool none.", true),
  );
});

test.each<[string, number, JsonObject]>([
  ["a method that there is not", -32_601, { id: 1, method: "resources/list" }],
  ["a call without a name", -32_602, { id: 1, method: "tools/call", params: {} }],
  ["an introduction without a version", -32_602, { id: 1, method: "initialize", params: {} }],
  ["a tool that throws", -32_603, call(1, "broken")],
  ["something that is not a message of MCP", -32_600, { id: 1, hello: true }],
])("answers %s with an error, and works on", async (_, code, message) => {
  const server = serve(broken);
  expect(await server.answer(message, lasting)).toMatchObject({
    error: { code, message: expect.stringMatching(/./) },
  });
  const pong = await server.answer({ jsonrpc: "2.0", id: 2, method: "ping" }, lasting);
  expect(pong).toEqual({ jsonrpc: "2.0", id: 2, result: {} });
});

test("a call that the CLI takes back ends, by either way to say so, and no other does", async () => {
  const server = serve(patient);
  const gone = new AbortController();
  const first = server.answer(call(1, "patient"), lasting);
  const other = server.answer(call(2, "patient"), gone.signal);
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
  expect(await server.answer(cancel, lasting)).toEqual({ jsonrpc: "2.0", id: 0, result: {} });
  expect(await first).toEqual(said(1, "Taken back"));
  const pong = server.answer({ jsonrpc: "2.0", id: 3, method: "ping" }, lasting);
  expect(await Promise.race([other, pong])).toMatchObject({ id: 3 });
  gone.abort();
  expect(await other).toEqual(said(2, "Taken back"));
});
