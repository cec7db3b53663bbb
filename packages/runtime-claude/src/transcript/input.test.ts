import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { isSteerId, messageFromInput, steerId, turnMessageId } from "./input.ts";

const uuid = randomUUID();
const place = { turnId: "t", messageId: "m" };

function contentOf(input: Parameters<typeof messageFromInput>[0]) {
  return messageFromInput(input, uuid).message.content;
}

describe("a person's words", () => {
  test("carry their id, and context before them", () => {
    const content = [{ type: "text" as const, text: "hello" }];
    const message = messageFromInput({ ...place, content, context: { page: "/a" } }, uuid);
    expect(message.uuid).toBe(uuid);
    expect(message.message.content).toEqual([
      { type: "text", text: 'Context from the user interface: {"page":"/a"}' },
      { type: "text", text: "hello" },
    ]);
  });

  test("keep images and PDF as they are, and decode text", () => {
    const data = Buffer.from("Grüße 🚀").toString("base64");
    const image = { type: "base64", media_type: "image/png", data } as const;
    const pdf = { type: "base64", media_type: "application/pdf", data } as const;
    const text = { type: "base64", media_type: "text/plain", data } as const;
    const content = [
      { type: "image" as const, source: image },
      { type: "document" as const, title: "Report", source: pdf },
      { type: "document" as const, source: text },
    ];
    expect(contentOf({ ...place, content })).toEqual([
      { type: "image", source: image },
      { type: "document", title: "Report", source: pdf },
      { type: "document", source: { type: "text", media_type: "text/plain", data: "Grüße 🚀" } },
    ]);
  });

  test("are refused when an image is too large, with its size", () => {
    const data = Buffer.alloc(6 * 1024 * 1024).toString("base64");
    const source = { type: "base64", media_type: "image/png", data } as const;
    expect(() => contentOf({ ...place, content: [{ type: "image", source }] })).toThrow(
      "The image has 6.0 MB; Claude takes at most 5.0 MB.",
    );
  });
});

describe("the id of a message", () => {
  test("is the turn's own where that is a UUID", () => {
    expect(turnMessageId(uuid)).toBe(uuid);
    expect(turnMessageId("turn-1")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("distinguishes what was sent into a turn from what began it", () => {
    expect(isSteerId(steerId())).toBe(true);
    expect(isSteerId(turnMessageId("turn-1"))).toBe(false);
  });
});
