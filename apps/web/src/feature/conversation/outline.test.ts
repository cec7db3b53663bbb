import type { AgentMessage, Block, Message, UserMessage } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { createOutline, type Row } from "./outline.ts";

function user(id: string): UserMessage {
  return { role: "user", id, seq: 1, ts: "", content: [], delivery: "turn" };
}

function agent(id: string, blocks: readonly Block[]): AgentMessage {
  return { role: "agent", id, seq: 2, ts: "", blocks, done: false };
}

function text(key: string, said = ""): Block {
  return { type: "text", key, message_id: "m", text: said };
}

function tool(key: string): Block {
  return { type: "tool", key, tool_use_id: key, tool: "Read", status: "done", streamed: "" };
}

const asTool = () => ({ type: "tool" }) as const;

/** What a row is before it is measured depends on when it came. */
function withoutHeight({ height: _height, ...row }: Row): Omit<Row, "height"> {
  return row;
}

test("a conversation is its messages in rows, tool calls in a row together", () => {
  const outline = createOutline(asTool);
  const blocks = [text("a"), tool("b"), tool("c"), text("d")];
  expect(outline([user("u"), agent("m", blocks)])).toMatchObject([
    { type: "user", key: "u", messageId: "u", gap: "message" },
    { type: "block", key: "a", messageId: "m", gap: "message", start: 0, end: 1 },
    { type: "tools", key: "b", messageId: "m", gap: "paragraph", start: 1, end: 3 },
    { type: "block", key: "d", messageId: "m", gap: "paragraph", start: 3, end: 4 },
    { type: "footer", key: "m end", messageId: "m", gap: "line" },
  ]);
});

test("text that grows changes no row", () => {
  const outline = createOutline(asTool);
  const messages: Message[] = [user("u"), agent("m", [text("a", "He")])];
  const before = outline(messages);
  expect(outline([...messages.slice(0, 1), agent("m", [text("a", "Hello")])])).toBe(before);
});

test("rows that did not change are the same objects when others come", () => {
  const outline = createOutline(asTool);
  const first = [text("a"), tool("b"), text("c")];
  const before = outline([user("u"), agent("m", first)]);
  const after = outline([user("u"), agent("m", [...first, tool("d")])]);
  expect(after.slice(0, 3).every((row, index) => row === before[index])).toBe(true);
  expect(after.map(({ key }) => key)).toEqual(["u", "a", "b", "c", "d", "m end"]);
});

test("a row of tool calls keeps its key while it grows, and does not grow without end", () => {
  const outline = createOutline(asTool);
  const tools = Array.from({ length: 120 }, (_, index) => tool(`t${index}`));
  expect(outline([agent("m", tools.slice(0, 1))])[0]).toMatchObject({ key: "t0", end: 1 });
  expect(outline([agent("m", tools.slice(0, 2))])[0]).toMatchObject({ key: "t0", end: 2 });
  expect(outline([agent("m", tools)]).map(({ key }) => key)).toEqual([
    "t0",
    "t50",
    "t100",
    "m end",
  ]);
});

test("however a conversation came to be, its rows are the same", () => {
  const blocks = [text("a"), tool("b"), tool("c"), text("d"), tool("e"), tool("f")];
  const growing = createOutline(asTool);
  for (let end = 0; end <= blocks.length; end += 1) {
    const messages = [user("u"), agent("m", blocks.slice(0, end))];
    expect(growing(messages)).toMatchObject(createOutline(asTool)(messages).map(withoutHeight));
  }
});

test("messages that were taken back leave no rows", () => {
  const outline = createOutline(asTool);
  outline([user("u"), agent("m", [text("a")]), user("v"), agent("n", [text("b")])]);
  expect(outline([user("u")]).map(({ key }) => key)).toEqual(["u"]);
  expect(outline([user("u"), user("w")]).map(({ key }) => key)).toEqual(["u", "w"]);
});

function permission(
  key: string,
  toolUseId: string | undefined,
  status: "open" | "answered",
): Block {
  const id = { correlation_id: key, ...(toolUseId !== undefined && { tool_use_id: toolUseId }) };
  const request = { ...id, tool_name: "Bash", tool_input: {} };
  return { type: "permission", key, correlation_id: key, status, request };
}

test("a request that has ended is in the row of its tool, and splits no run", () => {
  const ended = [tool("a"), permission("pa", "a", "answered"), tool("b")];
  const open = [...ended, permission("pb", "b", "open")];
  const outline = createOutline(asTool);
  expect(outline([agent("m", open)])).toMatchObject([
    { type: "tools", key: "a", start: 0, end: 3 },
    { type: "block", key: "pb", start: 3, end: 4 },
    { type: "footer" },
  ]);
  const answered = [...ended, permission("pb", "b", "answered"), tool("c")];
  expect(outline([agent("m", answered)])).toMatchObject([
    { type: "tools", key: "a", start: 0, end: 5 },
    { type: "footer" },
  ]);
});

test("a request for no tool that is shown stays a row of its own", () => {
  const blocks = [
    tool("a"),
    permission("p", undefined, "answered"),
    permission("q", "z", "answered"),
  ];
  expect(createOutline(asTool)([agent("m", blocks)]).map(({ key }) => key)).toEqual([
    "a",
    "p",
    "q",
    "m end",
  ]);
});

test("a tool call that shows nothing has no row, and one that is a component has its own", () => {
  const types: Readonly<Record<string, "tool" | "component" | "nothing">> = {
    hidden: "nothing",
    last: "nothing",
    shown: "component",
  };
  const outline = createOutline(({ tool_use_id }) => ({ type: types[tool_use_id] ?? "tool" }));
  const blocks = [
    tool("hidden"),
    text("a"),
    tool("b"),
    tool("hidden"),
    tool("c"),
    tool("shown"),
    tool("d"),
    text("e"),
    tool("last"),
  ];
  expect(outline([agent("m", blocks)])).toMatchObject([
    { type: "block", start: 0, end: 2 },
    { type: "tools", start: 2, end: 5 },
    { type: "block", start: 5, end: 6, gap: "paragraph" },
    { type: "tools", start: 6, end: 7, gap: "paragraph" },
    { type: "block", start: 7, end: 8 },
    { type: "footer" },
  ]);
  const grown = outline([agent("m", [...blocks, text("f")])]);
  expect(grown.at(-2)).toMatchObject({ type: "block", start: 8, end: 10 });
});
