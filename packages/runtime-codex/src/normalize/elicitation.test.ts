import { describe, expect, test } from "vitest";
import { begin, item, play, root, spawn } from "../test-support/spoken.ts";

describe("an MCP server that asks for permission", () => {
  const use = (id: string, tool: string, threadId = root): object =>
    item(
      "started",
      { type: "mcpToolCall", id, server: "lab", tool, status: "inProgress" },
      threadId,
    );

  test("asks for its newest tool use in the thread that asks", () => {
    const replay = play(
      ...begin,
      item("started", spawn),
      use("first", "read"),
      use("second", "change"),
      use("below", "destroy", "child"),
    );
    const params = { threadId: root, turnId: "n1", serverName: "lab", mode: "form" };
    const [asked] = replay.take({
      method: "mcpServer/elicitation/request",
      id: 0,
      correlation_id: "ask",
      params,
    });
    expect(asked).toMatchObject({
      type: "permission_request",
      data: { tool_use_id: "second", tool_name: "mcp__lab__change" },
    });
  });
});
