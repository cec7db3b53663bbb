import { expect, test } from "vitest";
import { retellConversation } from "./past-conversation.ts";

test("a conversation is retold in its order, with who said what", () => {
  const { text = "", notice } =
    retellConversation([
      { role: "user", text: "Name a colour." },
      { role: "agent", text: "Red." },
    ]) ?? {};
  expect(text).toMatch(/record of it is gone.*User: Name a colour\.\n\nYou: Red\.\n\n.*Now/s);
  expect(text).not.toContain("left out");
  expect(notice).toContain("what was said");
});

test("where nothing was said, nothing is retold", () => {
  expect(retellConversation([])).toBeUndefined();
});

test("of a long conversation the newest part is retold, and that the rest is missing", () => {
  const long = Array.from({ length: 100 }, (_, index) => ({
    role: "user" as const,
    text: `${index} ${"x".repeat(10_000)}`,
  }));
  const { text = "", notice } = retellConversation(long) ?? {};
  expect(text.length).toBeLessThan(210_000);
  expect(text).toContain("User: 99 ");
  expect(text).not.toContain("User: 0 ");
  expect(text).toContain("Earlier messages are left out");
  expect(notice).toContain("the newest of what was said");
});

test("one message that is longer than all may be is cut", () => {
  const { text = "" } = retellConversation([{ role: "agent", text: "x".repeat(1e6) }]) ?? {};
  expect(text.length).toBeLessThan(210_000);
  expect(text).toContain("left out");
});
