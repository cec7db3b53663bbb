import { createHash } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { newDatabase } from "../../../../../test/support/database.ts";
import { eventsFrom, LEASE_MS, recordOf } from "../../test-support/session.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

test("an attachment that takes several statements to read is read as it was written, whole and in ranges", async () => {
  const database = await newDatabase();
  onTestFinished(() => database.remove());
  const store = await openPostgresStore({ url: database.url });
  onTestFinished(() => store.close());
  const { generation } = await store.createSession(recordOf("one"), "host", LEASE_MS);
  const piece = 4 * 1024 * 1024;
  const size = 2 * piece + 1;
  const content = Buffer.alloc(
    size,
    Uint8Array.from({ length: 251 }, (_, index) => index),
  );
  const digest = `sha256-${createHash("sha256").update(content).digest("hex")}`;
  const attachments = [{ digest, size, mediaType: "image/png", content }];
  await store.append({ sessionId: "one", generation, events: eventsFrom(1, 1), attachments });
  for (const [start, end] of [
    [0, size],
    [1, piece + 2],
    [piece, size],
  ] as const) {
    const read = await store.readAttachment("one", digest, { start, end });
    expect(Buffer.compare(read, content.subarray(start, end))).toBe(0);
  }
});
