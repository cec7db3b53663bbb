import { describe, expect, test } from "vitest";
import type { LostInput } from "@turnwire/runtime";
import { messageFromInput, steerId } from "./input.ts";
import { recordedIds, repeatInputs, unrecordedInputs } from "./lost-input.ts";
import { lineFromEntry } from "./transcript-line.ts";

const one = "11111111-1111-4111-8111-111111111111";
const two = "22222222-2222-4222-8222-222222222222";
const steer = "33333333-3333-4333-8333-333333333333";
const three = "44444444-4444-4444-8444-444444444444";

function lost(turnId: string, words: string, more: Partial<LostInput> = {}): LostInput {
  const content = [{ type: "text", text: words } as const];
  return { turnId, messageId: turnId, content, isSteer: false, ...more };
}

const inputs = [
  lost(one, "one"),
  lost(two, "two"),
  lost(two, "faster", { messageId: steer, isSteer: true }),
  lost(three, "three"),
];

describe("what the agent lacks", () => {
  test.each([
    ["everything of which nothing is recorded", [], inputs],
    ["what follows the newest that is recorded: that one brought all before it", [two], [2, 3]],
    ["what joined a turn that is recorded", [one, two], [2, 3]],
    ["what follows something that joined", [two, steerId(steer)], [3]],
    ["nothing after the last", [three], []],
  ] as const)("is %s", (_, recorded, expected) => {
    const missing = expected.map((which) => (typeof which === "number" ? inputs[which] : which));
    expect(unrecordedInputs(inputs, new Set(recorded))).toEqual(missing);
  });
});

describe("a transcript has a record of", () => {
  const entries = [
    { type: "queue-operation", operation: "enqueue", content: "later" },
    { type: "user", uuid: one, parentUuid: null },
    { type: "attachment", uuid: "a", attachment: { type: "queued_command", source_uuid: steer } },
    { type: "user", uuid: "b", forkedFrom: { sessionId: "other", messageUuid: two } },
    { type: "attachment", uuid: "c", attachment: "of another shape", forkedFrom: null },
    { type: "user", uuid: three, parentUuid: "b" },
  ];
  const lines = entries.map((entry) => lineFromEntry(entry));

  test("messages, those that joined a turn, and those that were copied", () => {
    expect([...recordedIds(lines)]).toEqual([one, "a", steer, "b", two, "c", three]);
  });

  test("nothing after the line at which it is continued", () => {
    expect([...recordedIds(lines, "b")]).toEqual([one, "a", steer, "b", two]);
  });
});

describe("what is repeated", () => {
  test("is set apart from what is said now, with its files and its context", () => {
    const source = { type: "base64", media_type: "image/png", data: "AAAA" } as const;
    const picture = { type: "image", source } as const;
    const input = lost(one, "look", { context: { page: 3 } });
    const { content, notice } = repeatInputs([
      { ...input, content: [...input.content, picture] },
      lost(two, "and then"),
    ]);
    expect(content.slice(1, -1)).toEqual([
      { type: "text", text: 'Context from the user interface: {"page":3}' },
      { type: "text", text: "look" },
      picture,
      { type: "text", text: "and then" },
    ]);
    expect(content[0]).toMatchObject({ text: expect.stringContaining("do not act on it") });
    expect(content.at(-1)).toMatchObject({ text: expect.stringContaining("Now the user says") });
    expect(notice).toContain("2 turns");
  });

  test("is bounded where hosts were lost in several turns with large messages: the newest first, in order", () => {
    const large = "ü".repeat(1_000_000);
    const { content, notice } = repeatInputs([
      lost(one, "first"),
      lost(two, `begin ${large} end`),
      lost(two, "faster", { messageId: steer, isSteer: true }),
      lost(three, "three"),
    ]);
    const words = content.slice(1, -1).map((block) => (block.type === "text" ? block.text : ""));
    expect(words.map((text) => text.slice(0, 9))).toEqual([
      "[What was",
      "begin üüü",
      "faster",
      "three",
    ]);
    expect(words[1]).toMatch(/ü\n\[600021 characters are left out here\]\nü+ end$/);
    expect(words.join("").length).toBeLessThan(400_200);
    expect(notice).toContain("as much of that as it can take");
  });

  test("never keeps the next message from being sent: what is too large is named instead", () => {
    const data = Buffer.alloc(6 * 1024 * 1024).toString("base64");
    const source = { type: "base64", media_type: "image/png", data } as const;
    const { content } = repeatInputs([lost(one, "", { content: [{ type: "image", source }] })]);
    const { message } = messageFromInput({ content }, steerId());
    expect(message.content).toContainEqual({ type: "text", text: "[image: too large]" });
  });
});
