import { expect, test } from "vitest";
import type { StoreHint } from "../../store-hint.ts";
import { payloadsOf } from "./hint-channel.ts";

const hintsIn = (payloads: readonly string[]): StoreHint[] =>
  payloads.flatMap((payload) => (JSON.parse(payload) as { hints: StoreHint[] }).hints);

test("any number of hints fits into payloads that Postgres takes, in order and each once", () => {
  const hints = Array.from({ length: 2000 }, (_, index): StoreHint => {
    const sessionId = `session-${"é".repeat(index % 50)}-${index}`;
    return { type: "events", sessionId, head: index, isRecordChanged: index % 2 === 0 };
  });
  const payloads = payloadsOf("host", hints);
  expect(hintsIn(payloads)).toStrictEqual(hints);
  expect(Math.max(...payloads.map((payload) => Buffer.byteLength(payload)))).toBeLessThan(8000);
  expect(payloads.length).toBeGreaterThan(10);
});

test("a hint that is itself too long becomes one that everything may have changed", () => {
  const hint: StoreHint = { type: "removed", sessionId: "one", owner: "x".repeat(9000) };
  expect(hintsIn(payloadsOf("host", [hint]))).toStrictEqual([{ type: "gap" }]);
});
