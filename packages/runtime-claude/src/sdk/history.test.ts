import { describe, expect, test } from "vitest";
import { turnsSince } from "./history.ts";
import type { TranscriptMessage } from "../transcript/transcript.ts";

function at(second: number, type: string, content: string, is_meta = false): TranscriptMessage {
  return {
    type,
    uuid: `uuid-${second}-000-4`,
    message: { role: type, content },
    timestamp: new Date(second * 1000).toISOString(),
    is_meta,
  };
}

const since = new Date(10_000).toISOString();

function found(...messages: TranscriptMessage[]): string[][] {
  const turns = turnsSince(messages, since);
  return turns.map(({ prompt, rest }) => [prompt, ...rest].map(({ uuid }) => uuid.slice(5, 7)));
}

describe("the turns since a time", () => {
  test("are those whose prompt is later", () => {
    expect(found(at(8, "user", "old"), at(9, "assistant", "answer"))).toEqual([]);
    expect(found(at(10, "user", "old"), at(11, "assistant", "late answer"))).toEqual([]);
    expect(
      found(at(10, "user", "old"), at(11, "user", "new"), at(12, "assistant", "answer")),
    ).toEqual([["11", "12"]]);
  });

  test("have no older messages, wherever a compaction put them", () => {
    expect(
      found(at(11, "user", "new"), at(10, "assistant", "old"), at(13, "assistant", "answer")),
    ).toEqual([["11", "13"]]);
  });

  test("do not begin with what the CLI wrote", () => {
    expect(
      found(
        at(11, "user", "the summary", true),
        at(12, "user", "<command-name>/compact</command-name>"),
        at(13, "user", "new"),
      ),
    ).toEqual([["13"]]);
  });

  test("need a time", () => {
    const { timestamp: _, ...timeless } = at(11, "user", "new");
    expect(found(timeless)).toEqual([]);
  });
});
