import { describe, expect, test } from "vitest";
import { events, ofType, replayOf, typesOf } from "../test-support/replay.ts";
import { assistant, stream } from "../test-support/spoken.ts";

const text = (words: string) => ({ type: "text", text: words });

describe("what Claude says", () => {
  const streamed = [
    stream({ type: "message_start", message: { id: "m1", model: "opus" } }),
    stream({ type: "content_block_start", index: 0, content_block: text("") }),
    stream({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hel" } }),
  ];

  test("is not said again by the whole block, but completed", () => {
    const drafts = events(
      ...streamed,
      assistant("m1", [text("Hello")]),
      stream({ type: "message_stop" }),
    );
    expect(ofType(drafts, "delta").map(({ data }) => data.text)).toEqual(["Hel", "lo"]);
    expect(ofType(drafts, "message_complete")[0]?.data.message.content).toEqual([text("Hello")]);
  });

  test("goes out at once where nothing was streamed", () => {
    const drafts = events(assistant("m1", [text("Hello")]));
    expect(drafts).toEqual([{ type: "delta", data: { message_id: "m1", text: "Hello" } }]);
  });

  test("is complete when the next message begins, with all its blocks", () => {
    const drafts = events(
      assistant("m1", [text("One. ")]),
      assistant("m1", [text("Two.")]),
      assistant("m2", [text("Three.")]),
    );
    const [complete] = ofType(drafts, "message_complete");
    expect(complete?.data.message_id).toBe("m1");
    expect(complete?.data.message.content).toEqual([text("One. "), text("Two.")]);
  });

  test("is complete once, whatever comes late under its id", () => {
    const stop = stream({ type: "message_stop" });
    const drafts = events(...streamed, stop, assistant("m1", [text("Hello")]), stop);
    expect(typesOf(drafts)).toEqual(["delta", "message_complete"]);
  });

  test("keeps a block that was streamed but never came whole", () => {
    const next = stream({ type: "message_start", message: { id: "m2" } });
    const [complete] = ofType(events(...streamed, next), "message_complete");
    expect(complete?.data.message).toMatchObject({ model: "opus", content: [text("Hel")] });
  });

  test("does not count when its stream broke off, unless the CLI made a message of it", () => {
    const stop = { ...stream({ type: "message_stop" }), abandoned_blocks: { from_block_index: 0 } };
    expect(ofType(events(...streamed, stop), "message_complete")[0]?.data).toEqual({
      message_id: "m1",
      message: { role: "assistant", content: [] },
      retracted: true,
    });
    const interrupted = events(...streamed, assistant("m1", [text("Hel")]), stop);
    const [complete] = ofType(interrupted, "message_complete");
    expect(complete?.data.message.content).toEqual([text("Hel")]);
    expect(complete?.data.retracted).toBe(undefined);
  });

  test("keeps blocks that only the provider understands, and no signatures", () => {
    const search = { type: "server_tool_use", id: "s1", name: "web_search", input: {} };
    const thought = { type: "thinking", thinking: "Hm.", signature: "long" };
    const drafts = events(assistant("m1", [thought, search]), assistant("m2", []));
    expect(ofType(drafts, "thinking").map(({ data }) => data)).toEqual([
      { message_id: "m1", text: "Hm.", done: true },
    ]);
    expect(ofType(drafts, "message_complete")[0]?.data.message.content).toEqual([
      { type: "thinking", thinking: "Hm." },
      search,
    ]);
  });

  test("is not a thought when it has no words", () => {
    expect(events(assistant("m1", [{ type: "thinking", thinking: "", signature: "x" }]))).toEqual(
      [],
    );
  });

  test("is an error when the API failed, and no message", () => {
    const failed = {
      ...assistant("x", [text("API Error: 529")], "<synthetic>"),
      error: "overloaded",
    };
    expect(events(failed)).toEqual([
      { type: "error", data: { code: "overloaded", message: "API Error: 529", retryable: true } },
    ]);
  });

  test("is kept as it is when a command that is not a turn was answered", () => {
    const { drafts } = replayOf([assistant("x", [text("Nothing to compact.")], "<synthetic>")]);
    expect(typesOf(drafts)).toEqual(["native"]);
  });
});
