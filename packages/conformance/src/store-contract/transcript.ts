import { randomUUID } from "node:crypto";
import type { TranscriptLine, Transcripts } from "@turnwire/log";
import { expect, test } from "vitest";
import { HOLDER, newSession, refusalOf, type StoreFixture, TTL_MS } from "./fixture.ts";

const line = (id: string): TranscriptLine => ({
  id,
  text: JSON.stringify({ id, said: "a\0b 😀" }),
});
const remark: TranscriptLine = { text: '{"type":"title"}' };

/** Agents' own records of their conversations. */
export function transcriptContract({ store }: StoreFixture): void {
  const transcripts = (): Transcripts => {
    const { transcripts: kept } = store();
    if (!kept) throw new Error("the store keeps no transcripts");
    return kept;
  };

  async function newTranscript() {
    const { record, generation } = await newSession(store());
    const lease = { sessionId: record.sessionId, generation };
    return { key: { conversation: randomUUID() }, lease };
  }

  test("a transcript has its lines in the order in which they were appended, many or few", async () => {
    const { key, lease } = await newTranscript();
    expect(await transcripts().loadTranscript(key)).toBeUndefined();
    const many = Array.from({ length: 1203 }, (_, index) => line(`line-${index}`));
    await transcripts().appendTranscript(key, lease, many);
    await transcripts().appendTranscript(key, lease, [remark, line("last"), remark]);
    expect(await transcripts().loadTranscript(key)).toEqual([
      ...many,
      remark,
      line("last"),
      remark,
    ]);
  });

  test("of lines with the same id the first stays, in one call as in several", async () => {
    const { key, lease } = await newTranscript();
    const other = { id: "a", text: "{}" };
    await transcripts().appendTranscript(key, lease, [line("a"), other, line("b")]);
    await transcripts().appendTranscript(key, lease, [line("b"), other, line("c")]);
    expect(await transcripts().loadTranscript(key)).toEqual(["a", "b", "c"].map(line));
  });

  test("a conversation has parts, each with lines of its own", async () => {
    const { key, lease } = await newTranscript();
    const part = { ...key, part: "subagents/agent-1" };
    await transcripts().appendTranscript(part, lease, [line("a")]);
    expect(await transcripts().loadTranscript(key)).toBeUndefined();
    await transcripts().appendTranscript(key, lease, [line("a"), line("b")]);
    expect(await transcripts().listTranscriptParts(key.conversation)).toEqual([part.part]);
    expect(await transcripts().loadTranscript(part)).toEqual([line("a")]);
    expect(await transcripts().listTranscriptParts(randomUUID())).toEqual([]);
  });

  test("only the newest generation of a session writes, and only while it has the session", async () => {
    const { key, lease } = await newTranscript();
    const { sessionId } = lease;
    await transcripts().appendTranscript(key, lease, [line("a")]);
    const next = await store().acquireLease({ sessionId, holder: HOLDER, ttlMs: TTL_MS });
    const stale = transcripts().appendTranscript(key, lease, [line("stale")]);
    expect(await refusalOf(stale)).toBe("lease_lost");
    const newest = { sessionId, generation: next?.generation ?? 0 };
    await transcripts().appendTranscript(key, newest, [line("b")]);
    await store().releaseLease(sessionId, newest.generation);
    const released = transcripts().appendTranscript(key, newest, [line("late")]);
    expect(await refusalOf(released)).toBe("lease_lost");
    expect(await transcripts().loadTranscript(key)).toEqual([line("a"), line("b")]);
  });

  test("a transcript is gone when its session is purged, those of others stay", async () => {
    const { key, lease } = await newTranscript();
    const other = await newTranscript();
    const part = { ...key, part: "subagents/agent-1" };
    for (const place of [key, part]) {
      await transcripts().appendTranscript(place, lease, [line("a")]);
    }
    await transcripts().appendTranscript(other.key, other.lease, [line("a")]);
    await store().deleteSession(lease.sessionId, lease.generation);
    await store().purgeDeleted(0);
    expect(await transcripts().loadTranscript(key)).toBeUndefined();
    expect(await transcripts().listTranscriptParts(key.conversation)).toEqual([]);
    expect(await transcripts().loadTranscript(other.key)).toEqual([line("a")]);
  });
}
