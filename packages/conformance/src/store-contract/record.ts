import { randomUUID } from "node:crypto";
import type { SessionFilter, SessionRecord } from "@turnwire/log";
import { expect, test } from "vitest";
import {
  eventsFrom,
  newLog,
  newRecord,
  newSession,
  refusalOf,
  type StoreFixture,
} from "./fixture.ts";

/** Records, patches and inputs: all in the transaction of their events. */
export function recordContract({ store }: StoreFixture): void {
  test("a record comes back as it was created, whatever its texts are", async () => {
    const odd = "a\0b 😀 \ud800 ' \" \u2028";
    const { record } = await newSession(store(), {
      owner: odd,
      title: odd,
      model: "m",
      effort: "high",
      permissionMode: "plan",
      policyMode: "planner",
      providerSessionId: odd,
      cwd: `/${odd}`,
      options: { system_prompt: odd.repeat(1000), params: { deep: [{ text: odd }] } },
    });
    expect(await store().getSession(record.sessionId)).toStrictEqual(record);
  });

  test("a patch changes what it names, null takes away, the rest stays", async () => {
    const { generation, record } = await newSession(store(), { title: "one", model: "m1" });
    const { sessionId } = record;
    await store().append({
      sessionId,
      generation,
      events: eventsFrom(1, 1),
      patch: {
        title: "two\0 two",
        model: null,
        providerSessionId: "p1",
        status: "hibernated",
        activity: "working",
        updatedAt: "2026-11-15T10:00:00.000Z",
      },
    });
    const { model, ...rest } = record;
    const patched = {
      ...rest,
      title: "two\0 two",
      providerSessionId: "p1",
      status: "hibernated",
      activity: "working",
      updatedAt: "2026-11-15T10:00:00.000Z",
      head: 1,
    };
    expect(model).toBe("m1");
    expect(await store().getSession(sessionId)).toStrictEqual(patched);
    await store().append({
      sessionId,
      generation,
      events: [],
      patch: { permissionMode: "plan", policyMode: "planner" },
    });
    const last = { ...patched, permissionMode: "plan", policyMode: "planner" };
    expect(await store().getSession(sessionId)).toStrictEqual(last);
  });

  test("of patches in one tick, each counts and the last one wins", async () => {
    const { generation, record } = await newSession(store());
    const { sessionId } = record;
    await Promise.all([
      store().append({ sessionId, generation, events: [], patch: { title: "a", model: "m" } }),
      store().append({ sessionId, generation, events: eventsFrom(1, 1) }),
      store().append({ sessionId, generation, events: [], patch: { title: "b" } }),
    ]);
    expect(await store().getSession(sessionId)).toMatchObject({ title: "b", model: "m", head: 1 });
  });

  test("an input is found by its session and the sender's id", async () => {
    const { sessionId, generation } = await newLog(store(), 0);
    const other = await newLog(store(), 1);
    const inputs = ["c1", "c\0 1", "\ud800", "\udfff", "C1"].map((clientMessageId, index) => {
      return { clientMessageId, seq: index + 1, digest: `digest ${index}` };
    });
    await store().append({ sessionId, generation, events: eventsFrom(1, 5), inputs });
    for (const input of inputs) {
      expect(await store().findInput(sessionId, input.clientMessageId)).toStrictEqual(input);
    }
    expect(await store().findInput(sessionId, "c")).toBeUndefined();
    expect(await store().findInput(other.sessionId, "c1")).toBeUndefined();
  });

  test("a repeated input refuses its whole batch as input_exists", async () => {
    const { sessionId, generation } = await newLog(store(), 0);
    const input = { clientMessageId: "c1", seq: 1, digest: "d1" };
    await store().append({ sessionId, generation, events: eventsFrom(1, 1), inputs: [input] });
    const events = eventsFrom(2, 2);
    const repeated = [
      { ...input, clientMessageId: "c2", seq: 2 },
      { ...input, digest: "d2" },
    ];
    const work = store().append({ sessionId, generation, events, inputs: repeated });
    expect(await refusalOf(work)).toBe("input_exists");
    const twice = [
      { ...input, clientMessageId: "c3" },
      { ...input, clientMessageId: "c3" },
    ];
    const inside = store().append({ sessionId, generation, events, inputs: twice });
    expect(await refusalOf(inside)).toBe("input_exists");
    expect(await store().read(sessionId, 0, 10)).toStrictEqual(eventsFrom(1, 1));
    expect(await store().findInput(sessionId, "c1")).toStrictEqual(input);
    expect(await store().findInput(sessionId, "c2")).toBeUndefined();
    await store().append({ sessionId, generation, events });
  });
}

const idsOf = (records: readonly SessionRecord[]) => records.map((record) => record.sessionId);
const at = (minute: number) => new Date(Date.UTC(2026, 10, 15, 9, minute)).toISOString();

/** Lists: order, pages, filters. */
export function listContract({ store }: StoreFixture): void {
  const list = (filter: Partial<SessionFilter>) => store().listSessions({ limit: 100, ...filter });

  async function createSessions(minutes: readonly number[]): Promise<string> {
    const owner = randomUUID();
    for (const minute of minutes) await newSession(store(), { owner, updatedAt: at(minute) });
    return owner;
  }

  async function listByPages(owner: string, limit: number): Promise<SessionRecord[]> {
    let page = await list({ owner, limit });
    const listed = [...page];
    while (page.length === limit && listed.length < 100) {
      const after = page.at(-1);
      page = await list({ owner, limit, ...(after && { after }) });
      listed.push(...page);
    }
    return listed;
  }

  test("lists are newest update first, then highest id first, page by page", async () => {
    const owner = await createSessions([3, 1, 2, 2, 2, 2, 5, 4]);
    const all = await list({ owner });
    expect(all.map((record) => record.updatedAt)).toStrictEqual([5, 4, 3, 2, 2, 2, 2, 1].map(at));
    const equal = idsOf(all.slice(3, 7));
    expect(equal).toStrictEqual(equal.toSorted().toReversed());
    for (const limit of [1, 2, 3, 7, 8, 9]) {
      expect(await listByPages(owner, limit)).toStrictEqual(all);
    }
    expect(
      idsOf((await list({ limit: 100_000 })).filter((item) => item.owner === owner)),
    ).toStrictEqual(idsOf(all));
  });

  test("an update moves a session to the front", async () => {
    const owner = await createSessions([1, 2]);
    const { generation, record } = await newSession(store(), { owner, updatedAt: at(0) });
    const { sessionId } = record;
    const patch = { updatedAt: at(9) };
    await store().append({ sessionId, generation, events: eventsFrom(1, 1), patch });
    expect((await list({ owner }))[0]).toMatchObject({ sessionId, head: 1 });
  });

  test("filters are by owner, status and activity, alone and together", async () => {
    const owner = randomUUID();
    const kinds = [
      { status: "live", activity: "working" },
      { status: "live", activity: "idle" },
      { status: "hibernated", activity: "idle" },
      { status: "archived", activity: "idle" },
    ] as const;
    const ids: string[] = [];
    for (const kind of kinds)
      ids.push((await newSession(store(), { owner, ...kind })).record.sessionId);
    const found = async (filter: Partial<SessionFilter>) =>
      new Set(idsOf(await list({ owner, ...filter })));
    expect(await found({})).toStrictEqual(new Set(ids));
    expect(await found({ status: "live" })).toStrictEqual(new Set(ids.slice(0, 2)));
    expect(await found({ activity: "idle" })).toStrictEqual(new Set(ids.slice(1)));
    expect(await found({ status: "live", activity: "idle" })).toStrictEqual(new Set([ids[1]]));
    expect(await found({ activity: "waiting" })).toStrictEqual(new Set());
    expect(await list({ owner: randomUUID() })).toStrictEqual([]);
  });

  test("a page continues after its place, also when the session that stood there moved or is gone", async () => {
    const owner = await createSessions([1, 2, 4]);
    const { generation, record } = await newSession(store(), { owner, updatedAt: at(3) });
    const { sessionId } = record;
    const [, after] = await list({ owner, limit: 2 });
    expect(after?.sessionId).toBe(sessionId);
    const older = idsOf((await list({ owner })).slice(2));
    const rest = async () => idsOf(await list({ owner, ...(after && { after }) }));
    expect(await rest()).toStrictEqual(older);
    const patch = { updatedAt: at(9) };
    await store().append({ sessionId, generation, events: eventsFrom(1, 1), patch });
    expect(await rest()).toStrictEqual(older);
    await store().deleteSession(sessionId, generation);
    expect(await rest()).toStrictEqual(older);
  });

  test("a record that was read does not change when the session does", async () => {
    const record = newRecord();
    const { generation, record: created } = await store().createSession(record, "host-a", 60_000);
    const { sessionId } = created;
    const before = await store().getSession(sessionId);
    await store().append({
      sessionId,
      generation,
      events: eventsFrom(1, 1),
      patch: { title: "t" },
    });
    expect(before).toStrictEqual(record);
    expect(created).toStrictEqual(record);
  });
}
