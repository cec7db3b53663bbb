import { expect, test } from "vitest";
import { SessionMemories } from "./session-memory.ts";

test("a session that is opened again has the memory that it had", () => {
  const memories = new SessionMemories();
  memories.open("a").set("reason", "too risky");
  memories.open("b");
  expect(memories.open("a").get("reason")).toBe("too risky");
  expect(memories.open("b").get("reason")).toBeUndefined();
});

test("only the sessions that were opened last are remembered", () => {
  const memories = new SessionMemories();
  memories.open("first").set("reason", "forgotten");
  memories.open("used").set("reason", "kept");
  for (let index = 0; index < 29; index += 1) {
    memories.open(`other ${index}`);
    memories.open("used");
  }
  expect(memories.open("used").get("reason")).toBe("kept");
  expect(memories.open("first").get("reason")).toBeUndefined();
});
