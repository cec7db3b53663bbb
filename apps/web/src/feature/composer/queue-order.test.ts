import type { MessageContent, QueuedMessage } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { moveUp, rewrite, sendNow, type QueuePort } from "./queue-order.ts";

function waiting(message_id: string, content: MessageContent = message_id): QueuedMessage {
  const blocks = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  return {
    message_id,
    content: [...blocks],
    delivery: "queue",
    seq: 1,
    ts: "2026-11-16T05:00:00Z",
  };
}

function textOf(content: MessageContent): string {
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" ? block.text : `<${block.type}>`)).join("");
}

/** A server's queue; `started` are messages that it does not give back any more. */
function createServer(texts: readonly string[], { limit = 10 } = {}) {
  let queue = texts.map((text) => ({ id: text, text }));
  const steered: string[] = [];
  const started = new Set<string>();
  const discarded: string[] = [];
  let least = queue.length;
  let count = 0;
  const port: QueuePort = {
    createId: () => `client ${(count += 1)}`,
    send: async (content, { client_message_id, delivery }) => {
      if (queue.length >= limit) throw new Error("queue_full");
      const message_id = `copy of ${client_message_id}`;
      if (delivery === "steer") steered.push(textOf(content));
      else queue = [...queue, { id: message_id, text: textOf(content) }];
      return { message_id };
    },
    withdraw: async (id) => {
      if (started.has(id) || !queue.some((one) => one.id === id)) throw new Error("not_found");
      queue = queue.filter((one) => one.id !== id);
      least = Math.min(least, queue.length);
    },
    discard: (id) => void discarded.push(id),
    restore: async (message) => message,
  };
  return {
    port,
    steered,
    started,
    discarded,
    texts: () => queue.map(({ text }) => text),
    least: () => least,
  };
}

const queue = ["a", "b", "c"].map((id) => waiting(id));

describe("the queue", () => {
  test("keeps the place of a message that is changed", async () => {
    const server = createServer(["a", "b", "c"]);
    expect(await rewrite(server.port, queue, { index: 1, text: "better" })).toBe("done");
    expect(server.texts()).toEqual(["a", "better", "c"]);
  });

  test("keeps the attachments of a message whose text is changed", async () => {
    const server = createServer(["a"]);
    const source = { type: "base64", media_type: "image/png", data: "AAAA" } as const;
    const message = waiting("a", [
      { type: "image", source },
      { type: "text", text: "look" },
    ]);
    await rewrite(server.port, [message], { index: 0, text: "see" });
    expect(server.texts()).toEqual(["<image>see"]);
  });

  test("is reordered", async () => {
    const server = createServer(["a", "b", "c"]);
    expect(await moveUp(server.port, queue, 2)).toBe("done");
    expect(server.texts()).toEqual(["a", "c", "b"]);
  });

  test("never holds fewer messages on the way", async () => {
    const server = createServer(["a", "b", "c"]);
    await moveUp(server.port, queue, 1);
    expect(server.texts()).toEqual(["b", "a", "c"]);
    expect(server.least()).toBe(3);
  });

  test("stays as it was when the message has started meanwhile", async () => {
    const server = createServer(["a", "b", "c"]);
    server.started.add("b");
    expect(await rewrite(server.port, queue, { index: 1, text: "late" })).toBe("too_late");
    expect(server.texts()).toEqual(["a", "b", "c"]);
  });

  test("stays as it was when there is no room for the copies", async () => {
    const server = createServer(["a", "b", "c"], { limit: 4 });
    await expect(moveUp(server.port, queue, 1)).rejects.toThrow("queue_full");
    expect(server.texts()).toEqual(["a", "b", "c"]);
    expect(server.discarded).toHaveLength(1);
  });
});

describe("a message that is sent now", () => {
  test("joins the turn and leaves the queue", async () => {
    const server = createServer(["a", "b"]);
    await sendNow(server.port, waiting("b"));
    expect(server.steered).toEqual(["b"]);
    expect(server.texts()).toEqual(["a"]);
  });

  test("stays in the queue when it is refused", async () => {
    const server = createServer(["a", "b"], { limit: 2 });
    await expect(sendNow(server.port, waiting("b"))).rejects.toThrow("queue_full");
    expect(server.texts()).toEqual(["a", "b"]);
    expect(server.discarded).toHaveLength(1);
  });
});
