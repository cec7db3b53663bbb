import type { AppendBatch } from "../../store.ts";
import { StoreError } from "../../store-error.ts";

/** Bytes of JSON text, about, beyond which a group takes no more batches. */
const GROUP_LENGTH = 1024 * 1024;

interface Group {
  readonly batches: AppendBatch[];
  length: number;
  readonly done: Promise<readonly PromiseSettledResult<void>[]>;
}

/** Keeps the writes of each session in the order of the calls; appends that wait go together. */
export class WriteQueue {
  readonly #append: (batch: AppendBatch) => Promise<void>;
  /** The last write of each session that is under way. */
  readonly #tails = new Map<string, Promise<unknown>>();
  /** Appends that have not begun, when nothing waits after them. */
  readonly #groups = new Map<string, Group>();

  constructor(append: (batch: AppendBatch) => Promise<void>) {
    this.#append = append;
  }

  /** Does something after all earlier writes of a session. */
  async write<Result>(sessionId: string, work: () => Promise<Result>): Promise<Result> {
    this.#groups.delete(sessionId);
    return this.#enqueue(sessionId, work);
  }

  async append(batch: AppendBatch): Promise<void> {
    const group = this.#groupFor(batch);
    const place = group.batches.push(batch) - 1;
    group.length += batch.events.reduce((sum, { json }) => sum + json.length, 0);
    const outcome = (await group.done)[place];
    if (outcome?.status === "rejected") throw outcome.reason;
  }

  /** Waits for all that was accepted. */
  async drain(): Promise<void> {
    while (this.#tails.size > 0) await Promise.allSettled(this.#tails.values());
  }

  #groupFor(batch: AppendBatch): Group {
    const { sessionId } = batch;
    const waiting = this.#groups.get(sessionId);
    if (waiting && canJoin(waiting, batch)) return waiting;
    const batches: AppendBatch[] = [];
    const done = this.#enqueue(sessionId, () => {
      if (this.#groups.get(sessionId) === group) this.#groups.delete(sessionId);
      return this.#appendAll(batches);
    });
    const group: Group = { batches, length: 0, done };
    this.#groups.set(sessionId, group);
    return group;
  }

  #enqueue<Result>(sessionId: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#tails.get(sessionId) ?? Promise.resolve();
    const result = before.then(work, work);
    this.#tails.set(sessionId, result);
    const settled = () => {
      if (this.#tails.get(sessionId) === result) this.#tails.delete(sessionId);
    };
    result.then(settled, settled);
    return result;
  }

  async #appendAll(
    batches: readonly AppendBatch[],
  ): Promise<readonly PromiseSettledResult<void>[]> {
    const [first, ...others] = batches;
    if (!first) return [];
    const [together] = await Promise.allSettled([this.#append(others.reduce(joined, first))]);
    const isRefused = together.status === "rejected" && isRefusal(together.reason);
    if (others.length === 0 || !isRefused) return batches.map(() => together);
    // One of them was refused: the others must not suffer for it.
    const outcomes: PromiseSettledResult<void>[] = [];
    for (const batch of batches) {
      const [outcome] = await Promise.allSettled([this.#append(batch)]);
      outcomes.push(outcome);
    }
    return outcomes;
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof StoreError && error.code !== "unavailable";
}

function canJoin({ batches, length }: Group, batch: AppendBatch): boolean {
  const last = batches.at(-1);
  const lastSeq = batches.findLast(({ events }) => events.length > 0)?.events.at(-1)?.seq;
  const [first] = batch.events;
  const follows = !first || lastSeq === undefined || first.seq === lastSeq + 1;
  return last?.generation === batch.generation && follows && length < GROUP_LENGTH;
}

function joined(left: AppendBatch, right: AppendBatch): AppendBatch {
  const { sessionId, generation } = left;
  return {
    sessionId,
    generation,
    events: [...left.events, ...right.events],
    inputs: [...(left.inputs ?? []), ...(right.inputs ?? [])],
    patch: { ...left.patch, ...right.patch },
    attachments: [...(left.attachments ?? []), ...(right.attachments ?? [])],
    answers: [...(left.answers ?? []), ...(right.answers ?? [])],
  };
}
