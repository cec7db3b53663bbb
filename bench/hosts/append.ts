import type { SessionRecord, Store } from "@turnwire/log";
import type { BarePostgres } from "../server/bare-postgres.ts";
import { deltaJson } from "../server/delta.ts";

/** How long each figure is measured. */
const roundMs = 1_500;

interface Log {
  readonly sessionId: string;
  head: number;
}

/** Events a second when each of these writers waits for its own commit. */
async function rateOf(
  writers: readonly Log[],
  batch: number,
  append: (log: Log, index: number) => Promise<void>,
): Promise<number> {
  const start = performance.now();
  let written = 0;
  await Promise.all(
    writers.map(async (log, index) => {
      while (performance.now() - start < roundMs) {
        await append(log, index);
        log.head += batch;
        written += batch;
      }
    }),
  );
  return (written * 1000) / (performance.now() - start);
}

function seqsAfter({ head }: Log, batch: number): number[] {
  return Array.from({ length: batch }, (_, index) => head + index + 1);
}

let bareSessions = 0;

/** Each writer on a connection of its own. */
export function measureBareAppends(
  bare: BarePostgres,
  batch: number,
  writers: number,
): Promise<number> {
  const logs = Array.from({ length: writers }, () => {
    bareSessions += 1;
    return { sessionId: `bare-${bareSessions}`, head: 0 };
  });
  return rateOf(logs, batch, (log, connection) => {
    const seqs = seqsAfter(log, batch);
    const texts = seqs.map((seq) => deltaJson(seq));
    return bare.append(connection, { sessionId: log.sessionId, seqs, texts });
  });
}

let storeSessions = 0;

export async function measureStoreAppends(
  store: Store,
  batch: number,
  writers: number,
): Promise<number> {
  const logs = await Promise.all(Array.from({ length: writers }, () => newLog(store)));
  const rate = await rateOf(logs, batch, (log, index) => {
    const events = seqsAfter(log, batch).map((seq) => ({
      seq,
      type: "delta",
      json: deltaJson(seq),
    }));
    const { sessionId } = log;
    return store.append({ sessionId, generation: logs[index]?.generation ?? 0, events });
  });
  await Promise.all(
    logs.map(({ sessionId, generation }) => store.deleteSession(sessionId, generation)),
  );
  return rate;
}

async function newLog(store: Store): Promise<Log & { readonly generation: number }> {
  storeSessions += 1;
  const record: SessionRecord = {
    sessionId: `appends-${storeSessions}`,
    owner: "bench",
    epoch: "e",
    runtime: "demo",
    options: {},
    status: "live",
    activity: "working",
    cwd: "/",
    createdAt: "2026-11-16T09:00:00.000Z",
    updatedAt: "2026-11-16T09:00:00.000Z",
    head: 0,
    trimmed: 0,
  };
  const { generation } = await store.createSession(record, "bench", 3_600_000);
  return { sessionId: record.sessionId, generation, head: 0 };
}
