import { describe, expect, test } from "vitest";
import { begin, completed, item, play, root, spawn } from "../test-support/spoken.ts";

describe("the tokens of a turn", () => {
  const tokens = (inputTokens: number): object => ({ inputTokens, totalTokens: inputTokens });
  const usage = (total: number, last: number, threadId = root): object => ({
    method: "thread/tokenUsage/updated",
    params: { threadId, tokenUsage: { total: tokens(total), last: tokens(last) } },
  });

  test("are its own also in a thread that had turns before this process", () => {
    const { drafts } = play(...begin, usage(1100, 100), usage(1150, 50), completed(root, "n1"));
    const result = drafts.find(({ type }) => type === "result");
    expect(result).toMatchObject({ data: { usage: { input_tokens: 150, context_tokens: 50 } } });
    const reports = drafts.filter(({ type }) => type === "usage");
    expect(reports).toMatchObject([
      { data: { input_tokens: 1100, turn_tokens: 100 } },
      { data: { input_tokens: 1150, turn_tokens: 150 } },
      { data: { input_tokens: 1150, turn_tokens: 150 } },
    ]);
  });

  test("count a sub-agent's, whose context is not the session's", () => {
    const { drafts } = play(
      ...begin,
      item("started", spawn),
      usage(100, 100),
      usage(30, 30, "child"),
      completed(root, "n1"),
    );
    const result = drafts.find(({ type }) => type === "result");
    expect(result).toMatchObject({ data: { usage: { input_tokens: 130, context_tokens: 100 } } });
  });
});
