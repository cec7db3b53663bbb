import { createHash } from "node:crypto";
import type { NewAttachment, Store } from "@turnwire/log";
import { expect, test } from "vitest";
import { baseAt, eventsFrom, newSession, refusalOf, type StoreFixture } from "./fixture.ts";

/** An attachment with bytes that follow from `seed`. */
function attachmentOf(seed: number, size: number): NewAttachment & { content: Uint8Array } {
  const content = Uint8Array.from({ length: size }, (_, index) => (index * 31 + seed) % 251);
  const digest = `sha256-${createHash("sha256").update(content).digest("hex")}`;
  return { digest, size, mediaType: "image/png", content };
}

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}

async function sessionWith(store: Store, attachments: readonly NewAttachment[]) {
  const { generation, record } = await newSession(store);
  const { sessionId } = record;
  await store.append({ sessionId, generation, events: eventsFrom(1, 1), attachments });
  return { sessionId, generation };
}

/** Payloads beside the log. */
export function attachmentContract({ store, createPlace, capabilities }: StoreFixture): void {
  test("an attachment is read as it was written, whole and in ranges", async () => {
    const { content, ...attachment } = attachmentOf(1, 700_001);
    const { digest, size } = attachment;
    const { sessionId } = await sessionWith(store(), [{ ...attachment, content }]);
    expect(await store().findAttachment(sessionId, digest)).toStrictEqual(attachment);
    expect(isSame(await store().readAttachment(sessionId, digest), content)).toBe(true);
    for (const [start, end] of [
      [0, 1],
      [0, size],
      [262_143, 262_145],
      [262_144, 524_288],
      [700_000, 700_001],
      [5, 5],
    ] as const) {
      const read = await store().readAttachment(sessionId, digest, { start, end });
      expect(isSame(read, content.subarray(start, end))).toBe(true);
    }
  });

  test("an attachment may be empty, and named twice", async () => {
    const empty = attachmentOf(1, 0);
    const { sessionId, generation } = await sessionWith(store(), [empty, empty]);
    await store().append({ sessionId, generation, events: eventsFrom(2, 2), attachments: [empty] });
    expect(await store().readAttachment(sessionId, empty.digest)).toHaveLength(0);
  });

  test("an attachment belongs to the sessions that name it and to no other", async () => {
    const attachment = attachmentOf(2, 1000);
    const { digest } = attachment;
    const { sessionId } = await sessionWith(store(), [attachment]);
    const other = await sessionWith(store(), []);
    expect(await store().findAttachment(other.sessionId, digest)).toBeUndefined();
    expect(await refusalOf(store().readAttachment(other.sessionId, digest))).toBe(
      "attachment_unknown",
    );
    expect(await store().findAttachment(sessionId, attachmentOf(3, 5).digest)).toBeUndefined();
    expect(await store().findAttachment("unknown", digest)).toBeUndefined();
    expect(await refusalOf(store().readAttachment("unknown", digest))).toBe("attachment_unknown");
  });

  test("an append that is refused leaves no attachment", async () => {
    const attachment = attachmentOf(4, 1000);
    const { sessionId, generation } = await sessionWith(store(), []);
    const events = eventsFrom(5, 5);
    const attachments = [attachment];
    expect(await refusalOf(store().append({ sessionId, generation, events, attachments }))).toBe(
      "not_contiguous",
    );
    expect(await store().findAttachment(sessionId, attachment.digest)).toBeUndefined();
  });

  test("sessions share an attachment without its bytes, and it lives as long as one of them", async () => {
    const { content, ...shared } = attachmentOf(5, 300_000);
    const { digest } = shared;
    const first = await sessionWith(store(), [{ ...shared, content }]);
    const second = await sessionWith(store(), [shared]);
    await store().deleteSession(first.sessionId, first.generation);
    expect(await store().findAttachment(first.sessionId, digest)).toBeUndefined();
    expect(isSame(await store().readAttachment(second.sessionId, digest), content)).toBe(true);
  });

  test("a session that shares an attachment while the only other one is deleted has it, or is refused", async () => {
    for (let seed = 100; seed < 120; seed += 1) {
      const { content, ...shared } = attachmentOf(seed, 5000);
      const first = await sessionWith(store(), [{ ...shared, content }]);
      const second = await sessionWith(store(), []);
      const append = store().append({
        ...second,
        events: eventsFrom(2, 2),
        attachments: [shared],
      });
      const deletion = store().deleteSession(first.sessionId, first.generation);
      const [refusal] = await Promise.all([refusalOf(append), deletion]);
      const read = store()
        .readAttachment(second.sessionId, shared.digest)
        .then((bytes) => (isSame(bytes, content) ? "whole" : "not what was written"))
        .catch((error: unknown) => refusalOf(Promise.reject(error)));
      expect([refusal, await read]).toEqual(
        refusal === undefined ? [undefined, "whole"] : ["attachment_unknown", "attachment_unknown"],
      );
    }
  });

  test("what no session has cannot be shared", async () => {
    const { content: _, ...missing } = attachmentOf(6, 10);
    const { sessionId, generation } = await sessionWith(store(), []);
    const work = store().append({
      sessionId,
      generation,
      events: eventsFrom(2, 2),
      attachments: [missing],
    });
    expect(await refusalOf(work)).toBe("attachment_unknown");
    expect(await store().read(sessionId, 1, 10)).toStrictEqual([]);
  });

  test("an attachment outlives the events that named it: the base state may show it", async () => {
    const attachment = attachmentOf(7, 1000);
    const { sessionId, generation } = await sessionWith(store(), [attachment]);
    await store().append({ sessionId, generation, events: eventsFrom(2, 3) });
    await store().trim(sessionId, generation, baseAt(2));
    const read = await store().readAttachment(sessionId, attachment.digest);
    expect(isSame(read, attachment.content)).toBe(true);
  });

  test.runIf(capabilities.durable)(
    "attachments are there when the store is opened again",
    async () => {
      const place = await createPlace();
      const first = await place.open();
      const attachment = attachmentOf(8, 600_000);
      const { sessionId } = await sessionWith(first, [attachment]);
      await first.close();
      const second = await place.open();
      const read = await second.readAttachment(sessionId, attachment.digest);
      expect(isSame(read, attachment.content)).toBe(true);
      await second.close();
      await place.remove();
    },
  );
}
