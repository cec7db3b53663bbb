import { describe, expect, test } from "vitest";
import { begin, play, root } from "../test-support/spoken.ts";

describe("the form of an MCP server", () => {
  const elicit = (message: string | null, properties: object): object => ({
    method: "mcpServer/elicitation/request",
    id: 1,
    correlation_id: "ask-2",
    params: {
      threadId: root,
      turnId: "n1",
      serverName: "lab",
      mode: "form",
      message,
      requestedSchema: { type: "object", properties },
    },
  });

  test("with one field asks in its own words, and offers yes and no where it is one of them", () => {
    const replay = play(...begin);
    const [asked] = replay.take(elicit("Go on?", { sure: { type: "boolean" } }));
    expect(asked).toMatchObject({
      type: "question_request",
      data: { questions: [{ question: "Go on?", options: [{ label: "yes" }, { label: "no" }] }] },
    });
  });

  test("with several fields asks for each by its name", () => {
    const fields = { colour: { type: "string", enum: ["red"] }, count: { type: "integer" } };
    const [asked] = play(...begin).take(elicit("Pick", fields));
    expect(asked).toMatchObject({
      data: {
        questions: [
          { question: "Pick: colour", options: [{ label: "red" }] },
          { question: "Pick: count", options: [] },
        ],
      },
    });
  });
});
