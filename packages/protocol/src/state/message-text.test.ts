import { describe, expect, test } from "vitest";
import { draft, type EventDraft, textFromContent, textOf } from "../index.ts";
import { agentMessages, delta, inTurn, stateAfter, toolStarted } from "../test-support/log.ts";

const tool = toolStarted("x");
const card = { component_id: "c1", name: "card" };

const cases: { what: string; events: EventDraft[]; text: string }[] = [
  { what: "one text", events: [delta("Hel"), delta("lo")], text: "Hello" },
  {
    what: "texts around a tool as paragraphs",
    events: [delta("before."), tool, delta("after.")],
    text: "before.\n\nafter.",
  },
  {
    what: "no empty line more where a text ends its line itself",
    events: [delta("before.\n"), tool, delta("after.")],
    text: "before.\nafter.",
  },
  {
    what: "two messages of the agent as paragraphs",
    events: [delta("one", "m1"), delta("two", "m2")],
    text: "one\n\ntwo",
  },
  {
    what: "one text where what stood between has gone",
    events: [
      delta("Hel"),
      draft("component_update", { ...card, surface: "chat", props: {}, merge: false }, inTurn),
      delta("lo"),
      draft("component_remove", { component_id: card.component_id }),
    ],
    text: "Hello",
  },
  { what: "nothing before the first text", events: [tool, delta("text")], text: "text" },
  { what: "nothing for tools alone", events: [tool], text: "" },
];

describe("the text of a message", () => {
  test.each(cases)("of the agent has $what", ({ events, text }) => {
    expect(agentMessages(stateAfter(...events)).map(textOf)).toEqual([text]);
  });

  test("of a person has the texts, images and documents left out", () => {
    expect(
      textFromContent([
        { type: "text", text: "look" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: "" } },
        { type: "text", text: "here" },
      ]),
    ).toBe("look\n\nhere");
    expect(stateAfter().messages.map(textOf)).toEqual(["hi"]);
  });
});
