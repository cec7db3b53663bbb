import type { EventType, SessionEvent, SessionEventOf } from "@turnwire/protocol";
import type { ReadableLog, StoredEvent } from "@turnwire/log";

/** Every committed event of a log, from the store or memory. */
export async function readAll(log: ReadableLog): Promise<SessionEvent[]> {
  await log.settled;
  const stored = await log.read(log.oldest - 1, Number.MAX_SAFE_INTEGER, Infinity);
  return stored.map((event): SessionEvent => JSON.parse(event.json));
}

/** Resolves with the first committed event that fits, past or future. */
export function eventWhere(
  log: ReadableLog,
  fits: (event: SessionEvent) => boolean,
): Promise<SessionEvent> {
  return new Promise((resolve, reject) => {
    const look = (events: readonly StoredEvent[]) => {
      for (const stored of events) {
        const event: SessionEvent = JSON.parse(stored.json);
        if (!fits(event)) continue;
        leave();
        resolve(event);
        return;
      }
    };
    const leave = log.subscribe({
      onEvents: look,
      onEnd: (reason) => reject(new Error(`the log ended: ${reason}`)),
    });
    log.read(log.oldest - 1, Number.MAX_SAFE_INTEGER, Infinity).then(look, reject);
  });
}

/** Resolves with the count-th event of a type. */
export async function eventOf<Type extends EventType>(
  log: ReadableLog,
  type: Type,
  count = 1,
): Promise<SessionEventOf<Type>> {
  const seen = new Set<number>();
  const event = await eventWhere(log, (candidate) => {
    if (candidate.type === type) seen.add(candidate.seq);
    return candidate.type === type && seen.size === count;
  });
  return event as SessionEventOf<Type>;
}
