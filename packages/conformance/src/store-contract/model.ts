import type { Store, StoredEvent } from "@turnwire/log";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  baseAt,
  eventsFrom,
  HOLDER,
  newSession,
  refusalOf,
  type StoreFixture,
  type StorePlace,
  TTL_MS,
} from "./fixture.ts";

type Step =
  | { readonly type: "append"; readonly count: number; readonly offset: number }
  | { readonly type: "append_stale" }
  | { readonly type: "read"; readonly after: number; readonly limit: number }
  | { readonly type: "trim"; readonly seq: number }
  | { readonly type: "acquire" }
  | { readonly type: "reopen" };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant("append" as const),
      count: fc.integer({ min: 0, max: 12 }),
      // Mostly right after the head, sometimes on it or past it.
      offset: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.constantFrom(-1, 1)),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant("read" as const),
      after: fc.integer({ min: 0, max: 80 }),
      limit: fc.integer({ min: 0, max: 40 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("trim" as const),
      seq: fc.integer({ min: 0, max: 60 }),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ type: "append_stale" as const }) },
  { weight: 2, arbitrary: fc.constant({ type: "acquire" as const }) },
  { weight: 1, arbitrary: fc.constant({ type: "reopen" as const }) },
);

/** The store as a step saw it, next to the array. */
interface Observation {
  readonly seen: unknown;
  readonly expected: unknown;
}

/** One session as a plain array: what every store must behave like. */
class Model {
  readonly #place: StorePlace;
  #store: Store;
  #sessionId = "";
  #generation = 0;
  #events: StoredEvent[] = [];
  #trimmed = 0;

  constructor(store: Store, place: StorePlace) {
    this.#store = store;
    this.#place = place;
  }

  async start(): Promise<void> {
    const { generation, record } = await newSession(this.#store);
    this.#sessionId = record.sessionId;
    this.#generation = generation;
    this.#events = [];
    this.#trimmed = 0;
  }

  run(step: Step): Promise<Observation> {
    switch (step.type) {
      case "append":
        return this.#append(step.count, step.offset);
      case "append_stale":
        return this.#appendStale();
      case "read":
        return this.read(step.after, step.limit);
      case "trim":
        return this.#trim(step.seq);
      case "acquire":
        return this.#acquire();
      case "reopen":
        return this.#reopen();
    }
  }

  async read(after: number, limit: number): Promise<Observation> {
    const from = Math.max(after, this.#trimmed);
    return {
      seen: await this.#store.read(this.#sessionId, after, limit),
      expected: this.#events.slice(from, from + limit),
    };
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  async #append(count: number, offset: number): Promise<Observation> {
    const sessionId = this.#sessionId;
    const generation = this.#generation;
    const first = this.#events.length + 1 + offset;
    const events = eventsFrom(first, first + count - 1, `by ${generation}`);
    const seen = await refusalOf(this.#store.append({ sessionId, generation, events }));
    const isGood = offset === 0 || count === 0;
    if (isGood) this.#events.push(...events);
    return { seen, expected: isGood ? undefined : "not_contiguous" };
  }

  async #appendStale(): Promise<Observation> {
    const next = this.#events.length + 1;
    const work = this.#store.append({
      sessionId: this.#sessionId,
      generation: this.#generation - 1,
      events: eventsFrom(next, next),
    });
    return { seen: await refusalOf(work), expected: "lease_lost" };
  }

  async #trim(seq: number): Promise<Observation> {
    const isKept = seq >= this.#trimmed && seq <= this.#events.length;
    const work = this.#store.trim(this.#sessionId, this.#generation, baseAt(seq));
    if (!isKept) return { seen: await refusalOf(work), expected: "not_contiguous" };
    await work;
    this.#trimmed = seq;
    return { seen: await this.#store.readBase(this.#sessionId), expected: baseAt(seq) };
  }

  async #acquire(): Promise<Observation> {
    const request = { sessionId: this.#sessionId, holder: HOLDER, ttlMs: TTL_MS };
    const lease = await this.#store.acquireLease(request);
    const isNewer = lease !== undefined && lease.generation > this.#generation;
    this.#generation = lease?.generation ?? 0;
    const { head, trimmed } = { ...lease?.record };
    return {
      seen: { isNewer, head, trimmed },
      expected: { isNewer: true, head: this.#events.length, trimmed: this.#trimmed },
    };
  }

  async #reopen(): Promise<Observation> {
    await this.#store.close();
    this.#store = await this.#place.open();
    return this.#acquire();
  }
}

/** The store against an array, through random histories. */
export function modelContract({ createPlace, capabilities }: StoreFixture): void {
  const isPossible = (step: Step) => step.type !== "reopen" || capabilities.durable;

  test("any history of appends, reads, trims, leases and reopenings acts like an array", async () => {
    const place = await createPlace();
    const model = new Model(await place.open(), place);
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 30 }), async (steps) => {
        await model.start();
        for (const step of steps.filter(isPossible)) {
          const { seen, expected } = await model.run(step);
          expect(seen).toStrictEqual(expected);
        }
        const { seen, expected } = await model.read(0, 10_000);
        expect(seen).toStrictEqual(expected);
      }),
      { numRuns: 40 },
    );
    await model.close();
    await place.remove();
  });
}
