import type { EventType, SessionEvent, SessionEventOf } from "@turnwire/protocol";
import type { LogEnd, ReadableLog, StoredEvent } from "@turnwire/log";

/** Every committed event of a log, from the store or memory. */
export async function readAll(log: ReadableLog): Promise<SessionEvent[]> {
  await log.settled;
  const stored = await log.read(log.oldest - 1, Number.MAX_SAFE_INTEGER, Infinity);
  return stored.map((event): SessionEvent => JSON.parse(event.json));
}

/** The types of all committed events. */
export async function eventTypes(log: ReadableLog): Promise<EventType[]> {
  return (await readAll(log)).map(({ type }) => type);
}

/** Resolves when the log ends. */
export function endOf(log: ReadableLog): Promise<LogEnd> {
  return new Promise((resolve) => {
    log.subscribe({ onEvents: () => undefined, onEnd: resolve });
  });
}

/** Resolves with the first committed event that fits, past or future. */
export function eventWhere(
  log: ReadableLog,
  fits: (event: SessionEvent) => boolean,
): Promise<SessionEvent> {
  return new Promise((resolve, reject) => {
    let last = 0;
    const look = (events: readonly StoredEvent[]) => {
      for (const stored of events) {
        if (stored.seq <= last) continue;
        last = stored.seq;
        const event: SessionEvent = JSON.parse(stored.json);
        if (!fits(event)) continue;
        leave();
        resolve(event);
        return;
      }
    };
    // What is published while the log is read comes after what is read.
    let published: StoredEvent[] | undefined = [];
    const lookAfter = (events: readonly StoredEvent[]) => {
      look([...events, ...(published ?? [])]);
      published = undefined;
    };
    const leave = log.subscribe({
      onEvents: (events) => (published ? void published.push(...events) : look(events)),
      onEnd: (reason) => {
        lookAfter([]);
        reject(new Error(`the log ended: ${reason}`));
      },
    });
    log.read(log.oldest - 1, Number.MAX_SAFE_INTEGER, Infinity).then(lookAfter, reject);
  });
}

/** Resolves with the count-th event of a type. */
export async function eventOf<Type extends EventType>(
  log: ReadableLog,
  type: Type,
  count = 1,
): Promise<SessionEventOf<Type>> {
  let seen = 0;
  const event = await eventWhere(log, (candidate) => {
    if (candidate.type === type) seen += 1;
    return seen === count;
  });
  return event as SessionEventOf<Type>;
}
