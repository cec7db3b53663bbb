import { expect, test } from "vitest";
import { keyFromPath, MirrorFrames } from "./mirror-frames.ts";

const id = "27472374-2dee-4eff-ba6d-b2e48faf9a6f";

test("a transcript is recognized by its path, and so is a part of it", () => {
  const folder = "/home/ann/.claude/projects/-work";
  expect(keyFromPath(`${folder}/${id}.jsonl`)).toEqual({ projectKey: "-work", sessionId: id });
  expect(keyFromPath(`${folder}/${id}/subagents/agent-1.jsonl`)).toEqual({
    projectKey: "-work",
    sessionId: id,
    subpath: "subagents/agent-1",
  });
  expect(keyFromPath(`C:\\Users\\ann\\projects\\-work\\${id}.jsonl`)).toMatchObject({
    sessionId: id,
  });
  expect(keyFromPath(`${folder}/notes.jsonl`)).toBeUndefined();
});

test("other messages of the CLI are left to others", () => {
  const frames = new MirrorFrames(undefined, () => undefined);
  expect(frames.take({ type: "assistant", entries: [] })).toBe(false);
  expect(frames.take("no JSON")).toBe(false);
  const path = `/projects/-work/${id}.jsonl`;
  expect(frames.take({ type: "transcript_mirror", filePath: path, entries: [] })).toBe(true);
});
