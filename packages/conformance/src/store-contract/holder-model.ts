import { randomUUID } from "node:crypto";
import type { Store } from "@turnwire/log";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { eventsFrom, lapse, newRecord, refusalOf, type StoreFixture, TTL_MS } from "./fixture.ts";

type Step =
  | { readonly type: "acquire" | "append" | "release"; readonly host: number; session: number }
  | { readonly type: "lapse" | "renew" | "leave"; readonly host: number };

const HOSTS = 3;
const SESSIONS = 2;

const anyHost = fc.integer({ min: 0, max: HOSTS - 1 });
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constantFrom("acquire" as const, "append" as const, "append" as const, "release"),
      host: anyHost,
      session: fc.integer({ min: 0, max: SESSIONS - 1 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom("lapse" as const, "renew" as const, "renew" as const, "leave"),
      host: anyHost,
    }),
  },
);

/** The right to write, in the plainest terms; hosts remember the generations they were given, also lost ones. */
class Model {
  readonly #store: Store;
  readonly #hosts = Array.from({ length: HOSTS }, () => randomUUID());
  readonly #living = new Set<string>();
  readonly #sessions: { id: string; holder?: string; generation: number; head: number }[] = [];
  /** By host and session, the generation that the host was given last. */
  readonly #remembered = new Map<string, number>();

  constructor(store: Store) {
    this.#store = store;
  }

  async start(): Promise<void> {
    for (let count = 0; count < SESSIONS; count += 1) {
      const record = newRecord();
      const id = record.sessionId;
      const { generation } = await this.#store.createSession(record, randomUUID(), TTL_MS);
      await this.#store.releaseLease(id, generation);
      this.#sessions.push({ id, generation, head: 0 });
    }
  }

  async run(step: Step): Promise<{ readonly seen: unknown; readonly expected: unknown }> {
    const holder = this.#hosts[step.host] ?? "";
    switch (step.type) {
      case "acquire":
        return this.#acquire(holder, step.session);
      case "append":
        return this.#append(holder, step.session);
      case "release":
        return this.#release(holder, step.session);
      case "lapse":
        await lapse(this.#store, holder);
        this.#living.delete(holder);
        return { seen: undefined, expected: undefined };
      case "renew": {
        const expected = this.#living.has(holder);
        this.#living.add(holder);
        return { seen: await this.#store.renewHolder(holder, TTL_MS), expected };
      }
      case "leave":
        await this.#store.removeHolder(holder);
        this.#living.delete(holder);
        for (const session of this.#sessions) {
          if (session.holder === holder) delete session.holder;
        }
        return { seen: undefined, expected: undefined };
    }
  }

  async #acquire(holder: string, index: number) {
    const session = this.#session(index);
    const { holder: owner } = session;
    const isFree = owner === undefined || owner === holder || !this.#living.has(owner);
    const request = { sessionId: session.id, holder, ttlMs: TTL_MS };
    const lease = await this.#store.acquireLease(request);
    if (lease) this.#living.add(holder);
    const isNewer = lease && lease.generation > session.generation;
    const { head } = session;
    if (lease) {
      Object.assign(session, { holder, generation: lease.generation });
      this.#remembered.set(`${holder} ${index}`, lease.generation);
    }
    return {
      seen: lease && { isNewer, head: lease.record.head },
      expected: isFree ? { isNewer: true, head } : undefined,
    };
  }

  async #append(holder: string, index: number) {
    const session = this.#session(index);
    const generation = this.#remembered.get(`${holder} ${index}`) ?? 0;
    const events = eventsFrom(session.head + 1, session.head + 1, holder);
    const isGood = this.#isHeld(session, generation) && this.#living.has(session.holder ?? "");
    const work = this.#store.append({ sessionId: session.id, generation, events });
    const seen = await refusalOf(work);
    if (isGood) session.head += 1;
    return { seen, expected: isGood ? undefined : "lease_lost" };
  }

  async #release(holder: string, index: number) {
    const session = this.#session(index);
    const generation = this.#remembered.get(`${holder} ${index}`) ?? 0;
    await this.#store.releaseLease(session.id, generation);
    if (this.#isHeld(session, generation)) delete session.holder;
    const record = await this.#store.getSession(session.id);
    return { seen: record?.head, expected: session.head };
  }

  #isHeld(session: { holder?: string; generation: number }, generation: number): boolean {
    return session.holder !== undefined && session.generation === generation;
  }

  #session(index: number) {
    const session = this.#sessions[index];
    if (!session) throw new Error(`there is no session ${index}`);
    return session;
  }
}

/** Leases of several hosts against the plainest model, through random histories. */
export function holderModelContract({ store }: StoreFixture): void {
  test("in any history of hosts that live, die, return and leave, only one may write", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 30 }), async (steps) => {
        const model = new Model(store());
        await model.start();
        for (const step of steps) {
          const { seen, expected } = await model.run(step);
          expect(seen).toStrictEqual(expected);
        }
      }),
      { numRuns: 30 },
    );
  });
}
