import picocolors from "picocolors";
import { describe, expect, test } from "vitest";
import { completionsFor, helpLines, intentOf } from "./slash-command.ts";

const agent = {
  review: false,
  slash_commands: [{ name: "plan", description: "Make a plan" }, { name: "compact" }],
};

describe("a line in the chat", () => {
  test.each([
    ["", { type: "nothing" }],
    ["  ", { type: "nothing" }],
    ["hello", { type: "message", text: "hello" }],
    ["two\nlines", { type: "message", text: "two\nlines" }],
    ["/etc/passwd is a file", { type: "message", text: "/etc/passwd is a file" }],
    ["!hurry", { type: "steer", text: "hurry" }],
    ["!", { type: "message", text: "!" }],
    ["/stop", { type: "slash", name: "stop", argument: "" }],
    ["/rename A title", { type: "slash", name: "rename", argument: "A title" }],
    ["/exit", { type: "slash", name: "quit", argument: "" }],
    ["/plan it", { type: "message", text: "/plan it" }],
    ["/compact", { type: "slash", name: "compact", argument: "" }],
  ])("%j is %j", (line, intent) => {
    expect(intentOf(line, agent)).toEqual(intent);
  });

  test("with an unknown command is not sent, and the nearest is offered", () => {
    expect(intentOf("/halp", agent)).toMatchObject({
      type: "unknown",
      hint: expect.stringContaining("Did you mean /help?"),
    });
    expect(intentOf("/constructor", agent).type).toBe("unknown");
  });

  test("goes to an agent that does not tell its commands", () => {
    expect(intentOf("/anything", { review: false, slash_commands: [] }).type).toBe("message");
  });

  test("is completed from what the chat and the agent know", () => {
    expect(completionsFor("/p", agent)).toEqual(["/policy", "/plan"]);
    expect(completionsFor("/mo", agent)).toEqual(["/model", "/mode"]);
    expect(completionsFor("mo", agent)).toEqual([]);
  });

  test("is explained by /help, each command once", () => {
    const text = helpLines(agent, { width: 80, colors: picocolors.createColors(false) }).join("\n");
    expect(text).toContain("/plan");
    expect(text.match(/\/compact/g)).toHaveLength(1);
  });
});
