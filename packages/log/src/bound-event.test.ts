import {
  draft,
  type EventDraft,
  foldAll,
  initialState,
  type JsonValue,
  MAX_EVENT_BYTES,
  type SessionEvent,
  SessionEvent as Schema,
} from "@turnwire/protocol";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type BoundEvent, boundEvent } from "./bound-event.ts";
import { restoreEvent } from "./restore-event.ts";
import { splitDraft } from "./split-draft.ts";
import type { NewAttachment } from "./store.ts";
import { digestOfContent } from "./stored-part.ts";

const ts = "2026-01-02T03:04:05.678Z";

function placed(one: EventDraft): SessionEvent {
  return { seq: 7, ts, ...one };
}

function bytesOf({ json }: BoundEvent): number {
  return Buffer.byteLength(json);
}

function sourceOf(attachments: readonly NewAttachment[]) {
  const contents = new Map(attachments.map(({ digest, content }) => [digest, content]));
  return {
    sessionId: "s",
    readAttachment: async (digest: string) => contents.get(digest) ?? new Uint8Array(),
  };
}

/** What a reader gets that loads every attachment. */
function restored({ json, attachments }: BoundEvent): Promise<SessionEvent> {
  return restoreEvent(JSON.parse(json), sourceOf(attachments));
}

function toolResult(output: JsonValue): SessionEvent {
  return placed(draft("tool_result", { tool_use_id: "t1", output, is_error: false }));
}

describe("an event", () => {
  test("that is small stays what it is", () => {
    const event = toolResult("done");
    expect(boundEvent(event)).toEqual({ event, json: JSON.stringify(event), attachments: [] });
  });

  test("with a long text shows its beginning, its end and how much is left out", async () => {
    const text = `first line\n${"x".repeat(820_000)}\nlast line`;
    const bound = boundEvent(toolResult(text));
    const { data, attachments } = bound.event;
    expect(data).toMatchObject({
      output: expect.stringMatching(/^first line\nx+\n… 812 kB left out …\nx+\nlast line$/),
    });
    expect(attachments).toEqual([
      {
        path: "/output",
        digest: digestOfContent(Buffer.from(text)),
        size: Buffer.byteLength(text),
        media_type: "text/plain",
        encoding: "text",
      },
    ]);
    expect(bytesOf(bound)).toBeLessThan(16 * 1024);
    expect(await restored(bound)).toEqual(toolResult(text));
  });

  test("with a large image has its bytes beside it, under its own type", async () => {
    const image = Buffer.alloc(400_000, 7);
    const source = {
      type: "base64",
      media_type: "image/png",
      data: image.toString("base64"),
    } as const;
    const event = placed(
      draft("user_message", {
        message_id: "m",
        delivery: "turn",
        content: [
          { type: "text", text: "look" },
          { type: "image", source },
        ],
      }),
    );
    const bound = boundEvent(event);
    expect(bound.event.attachments).toMatchObject([
      {
        path: "/content/1/source/data",
        size: 400_000,
        media_type: "image/png",
        encoding: "base64",
      },
    ]);
    expect(image.equals(bound.attachments[0]?.content ?? new Uint8Array())).toBe(true);
    expect(Schema.safeParse(bound.event).success).toBe(true);
    expect(await restored(bound)).toEqual(event);
  });

  test("keeps base64 that would come back otherwise as the text it is", async () => {
    const data = `${"QUJD".repeat(90_000)}Q`;
    const bound = boundEvent(toolResult([{ type: "image", mimeType: "image/png", data }]));
    expect(bound.event.attachments).toMatchObject([{ encoding: "text", media_type: "text/plain" }]);
    expect(await restored(bound)).toEqual(
      toolResult([{ type: "image", mimeType: "image/png", data }]),
    );
  });

  test.each<[string, JsonValue]>([
    ["many long texts", Array.from({ length: 900 }, (_, index) => "y".repeat(3000) + index)],
    ["many small values", Array.from({ length: 200_000 }, (_, index) => index)],
    ["long names", { ["k".repeat(300_000)]: 1, ["l".repeat(300_000)]: 2 }],
    ["control characters", "\u0001".repeat(300_000)],
    ["half a pair", `${"z".repeat(300_000)}\ud800`],
    ["a long text deep inside", nested(2000, "w".repeat(300_000))],
    ["names of prototypes", JSON.parse(`{"__proto__":"${"p".repeat(300_000)}","constructor":1}`)],
  ])("with %s is bounded and can be restored", async (_, output) => {
    const bound = boundEvent(toolResult(output));
    expect(bytesOf(bound)).toBeLessThanOrEqual(MAX_EVENT_BYTES);
    expect(bound.event.type).toBe("tool_result");
    expect(JSON.stringify(await restored(bound))).toBe(JSON.stringify(toolResult(output)));
  });

  test("of the shared state that is too large does not change it and is kept as native", async () => {
    const state = { note: "n".repeat(300_000) };
    const bound = boundEvent(placed(draft("state_snapshot", { state })));
    expect(bound.event.type).toBe("native");
    expect(await restored(bound)).toMatchObject({
      data: { payload: { type: "state_snapshot", data: { state } } },
    });
  });

  test("that no JSON can carry becomes an error", () => {
    const cycle: JsonValue[] = [];
    cycle.push(cycle);
    expect(boundEvent(toolResult(cycle)).event).toMatchObject({
      seq: 7,
      type: "error",
      data: { code: "not_serializable" },
    });
  });

  test("whatever it holds is bounded, fits its schema and can be restored", async () => {
    const text = fc.oneof(
      { weight: 3, arbitrary: fc.string({ unit: "binary" }) },
      fc
        .tuple(fc.string({ unit: "binary", minLength: 1, maxLength: 8 }), fc.nat(60_000))
        .map(([piece, times]) => piece.repeat(times)),
    );
    const { value: json } = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        text,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie("value"), { maxLength: 8 }),
        fc.dictionary(fc.string(), tie("value"), { maxKeys: 8 }),
      ),
    }));
    const drafts = fc.oneof(
      json.map((output) => draft("tool_result", { tool_use_id: "t", output, is_error: false })),
      json.map((input) =>
        draft("tool_start", { message_id: "m", tool_use_id: "t", tool: "Bash", input }),
      ),
      json.map((payload) => draft("native", { source: "x", payload })),
      json.map((tool_input) =>
        draft("permission_request", { correlation_id: "c", tool_name: "Write", tool_input }),
      ),
      fc.array(text, { maxLength: 20 }).map((texts) =>
        draft("plan", {
          steps: texts.map((step) => ({ text: step, status: "pending" as const })),
        }),
      ),
      fc.array(text, { maxLength: 20 }).map((texts) =>
        draft("message_complete", {
          message_id: "m",
          message: {
            role: "assistant",
            content: texts.map((part) => ({ type: "text", text: part })),
          },
        }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(drafts, async (one) => {
        const event = placed(one);
        const bound = boundEvent(event);
        expect(bytesOf(bound)).toBeLessThanOrEqual(MAX_EVENT_BYTES);
        expect(Schema.safeParse(JSON.parse(bound.json)).success).toBe(true);
        expect(JSON.stringify(await restored(bound))).toBe(JSON.stringify(event));
      }),
      { numRuns: 60 },
    );
  });
});

describe("a long text that comes in one piece", () => {
  const place = { turn_id: "t" };
  const longText = (length: number) => `${"a".repeat(32 * 1024 - 1)}🙂${"b".repeat(length)}`;
  const text = longText(1_000_000);
  /** Below 512 Ki: of more, a state holds the newest part, which begins where an event began. */
  const output = longText(450_000);

  test.each<[string, EventDraft]>([
    ["delta", draft("delta", { message_id: "m", text }, place)],
    ["thinking", draft("thinking", { message_id: "m", text, done: true }, place)],
    ["tool_output", draft("tool_output", { tool_use_id: "u", text: output }, place)],
    [
      "tool_input_delta",
      draft("tool_input_delta", { tool_use_id: "u", tool: "Bash", partial_json: text }, place),
    ],
  ])("is split into events that fold to the same: %s", (_, whole) => {
    const tool = draft("tool_start", { message_id: "m", tool_use_id: "u", tool: "Bash" }, place);
    const started = [
      draft("turn_started", { turn_id: "t" }),
      ...(whole.type === "tool_output" ? [tool] : []),
    ];
    const pieces = splitDraft(whole);
    expect(pieces.length).toBeGreaterThan(whole.type === "tool_output" ? 14 : 30);
    for (const piece of pieces) {
      expect(bytesOf(boundEvent(placed(piece)))).toBeLessThanOrEqual(MAX_EVENT_BYTES);
      expect(boundEvent(placed(piece)).attachments).toEqual([]);
      expect(JSON.stringify(piece)).not.toMatch(/\\ud[89a-f]/);
    }
    expect(folded([...started, ...pieces])).toEqual(folded([...started, whole]));
  });

  function folded(drafts: readonly EventDraft[]) {
    const events = drafts.map((one, index): SessionEvent => ({ seq: index + 1, ts, ...one }));
    const { messages } = foldAll(initialState(), events);
    return messages;
  }
});

function nested(depth: number, value: JsonValue): JsonValue {
  let inner = value;
  for (let level = 0; level < depth; level++) inner = [inner];
  return inner;
}
