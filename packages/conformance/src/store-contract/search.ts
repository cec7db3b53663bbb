import { randomUUID } from "node:crypto";
import { draft, type EventDraft } from "@turnwire/protocol";
import type { SearchPage, Store, StoredEvent } from "@turnwire/log";
import { describe, expect, test } from "vitest";
import { newSession, type StoreFixture } from "./fixture.ts";

const ts = "2026-11-15T09:00:00.000Z";

function stored(drafts: readonly EventDraft[], after = 0): StoredEvent[] {
  return drafts.map((event, index) => {
    const seq = after + index + 1;
    return { seq, type: event.type, json: JSON.stringify({ seq, ts, ...event }) };
  });
}

const asked = (id: string, text: string) =>
  draft("user_message", {
    message_id: id,
    content: [{ type: "text", text }],
    delivery: "turn",
  });

/** A turn in which a person said one thing and the agent another. */
function turn(id: string, question: string, answer: string): EventDraft[] {
  const place = { turn_id: id };
  const message = { role: "assistant" as const, content: [{ type: "text", text: answer }] };
  return [
    asked(`m-${id}`, question),
    draft("turn_started", { turn_id: id, message_id: `m-${id}` }, place),
    draft("delta", { message_id: `a-${id}`, text: answer }, place),
    draft("message_complete", { message_id: `a-${id}`, message }, place),
    draft("done", { turn_id: id }, place),
  ];
}

async function search(store: Store, text: string, owner?: string): Promise<SearchPage> {
  if (!store.search) throw new Error("this store cannot search");
  return store.search({ text, limit: 10, ...(owner !== undefined && { owner }) });
}

const shown = ({ hits }: SearchPage) =>
  hits.map(({ seq, role, snippet }) => ({
    seq,
    role,
    marked: snippet.filter(({ isMatch }) => isMatch).map(({ text }) => text),
  }));

/** Promises of search, where the store has it. */
export function searchContract({ store }: StoreFixture): void {
  describe("search", () => {
    /** A word that no other test has. */
    const word = () => `w${randomUUID().replaceAll("-", "")}`;

    test("finds what people and agents said, by all words and the beginning of the last", async () => {
      const [one, two] = [word(), word()];
      const { generation, record } = await newSession(store());
      const events = stored(turn("t1", `Largest ${one} files`, `They are Größe ${two}.`));
      await store().append({ sessionId: record.sessionId, generation, events });
      expect(shown(await search(store(), `largest ${one}`))).toEqual([
        { seq: 1, role: "user", marked: ["Largest", one] },
      ]);
      expect(shown(await search(store(), `grosse ${two}`))).toEqual([]);
      expect(shown(await search(store(), `größe ${two.slice(0, -3)}`))).toEqual([
        { seq: 4, role: "assistant", marked: ["Größe", two] },
      ]);
      // Never across messages, and never in what was only streamed.
      expect(shown(await search(store(), `${one} ${two}`))).toEqual([]);
      expect(shown(await search(store(), `"${one}" OR (x* NEAR`))).toEqual([]);
      expect(shown(await search(store(), "?!"))).toEqual([]);
    });

    test("has one result for each session, its newest message", async () => {
      const shared = word();
      const { generation, record } = await newSession(store());
      const first = turn("t1", `${shared} one`, "yes");
      const events = stored([...first, ...turn("t2", `${shared} two`, "no")]);
      await store().append({ sessionId: record.sessionId, generation, events });
      const { hits, isComplete } = await search(store(), shared);
      expect(hits.map(({ sessionId, seq }) => [sessionId, seq])).toEqual([[record.sessionId, 6]]);
      expect(isComplete).toBe(true);
    });

    test("never finds what was rolled back or taken back", async () => {
      const [kept, gone, queued, cancelled] = [word(), word(), word(), word()];
      const { generation, record } = await newSession(store());
      const { sessionId } = record;
      const drafts = [
        ...turn("t1", kept, "first"),
        asked("later", queued),
        ...turn("t2", gone, "second"),
        asked("never", cancelled),
        draft("rolled_back", { turn_id: "t2" }),
        draft("message_cancelled", { message_id: "never" }),
      ];
      await store().append({ sessionId, generation, events: stored(drafts) });
      for (const [text, count] of [
        [kept, 1],
        [queued, 1],
        [gone, 0],
        [cancelled, 0],
      ] as const) {
        expect([text, (await search(store(), text)).hits.length]).toEqual([text, count]);
      }
    });

    test("never finds other owners' sessions, deleted ones, or such as are still being made", async () => {
      const shared = word();
      const events = stored(turn("t1", shared, "yes"));
      const mine = await newSession(store(), { owner: "mine" });
      const other = await newSession(store(), { owner: "other" });
      const partial = await newSession(store(), { owner: "mine", isPartial: true });
      for (const { generation, record } of [mine, other, partial]) {
        await store().append({ sessionId: record.sessionId, generation, events });
      }
      const idsOf = ({ hits }: SearchPage) => hits.map(({ sessionId }) => sessionId);
      expect(idsOf(await search(store(), shared, "mine"))).toEqual([mine.record.sessionId]);
      expect(idsOf(await search(store(), shared))).toHaveLength(2);
      await store().deleteSession(mine.record.sessionId, mine.generation);
      expect(idsOf(await search(store(), shared, "mine"))).toEqual([]);
    });

    test("leaves nothing of a batch that was refused", async () => {
      const refused = word();
      const { record } = await newSession(store());
      const events = stored(turn("t1", refused, "yes"));
      await store()
        .append({ sessionId: record.sessionId, generation: 99, events })
        .catch(() => undefined);
      expect((await search(store(), refused)).hits).toEqual([]);
    });
  });
}
