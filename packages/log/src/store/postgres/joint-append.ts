import { changeFrom } from "../../search/said.ts";
import type { AppendBatch } from "../../store.ts";
import { appendBatch, isContiguous, isStored, refusalOf } from "./append.ts";
import type { Database, Statements } from "./database.ts";
import { columnsFromEvents } from "./event-table.ts";
import { isHeld } from "./holder-table.ts";

/** Whether a batch is nothing but events in order, which can go together with those of other sessions. */
export function isPlain(batch: AppendBatch): boolean {
  const { events, inputs = [], patch = {}, attachments = [], answers = [] } = batch;
  const extras = inputs.length + Object.keys(patch).length + attachments.length + answers.length;
  if (extras > 0 || events.length === 0 || !isContiguous(batch)) return false;
  return events.every((event) => changeFrom(event) === undefined);
}

/** Appends plain batches, each of another session, in one statement and one commit; each has an outcome of its own. */
export async function appendJointly(
  database: Database,
  batches: readonly AppendBatch[],
): Promise<readonly PromiseSettledResult<void>[]> {
  const [first, ...others] = batches;
  if (first && others.length === 0) return Promise.allSettled([appendBatch(database, first)]);
  return database.use(
    async (statements, isRepeat) => {
      const stored = await insertJointly(statements, batches);
      const outcomes: PromiseSettledResult<void>[] = [];
      for (const [place, batch] of batches.entries()) {
        const isDone = stored.has(place + 1) || (isRepeat && (await isStored(statements, batch)));
        const [outcome] = await Promise.allSettled([
          isDone ? undefined : refuse(statements, batch),
        ]);
        outcomes.push(outcome);
      }
      return outcomes;
    },
    { isRepeatable: true },
  );
}

const insert = `
  WITH owned AS (
    UPDATE turnwire.heads AS h SET head = h.head + given.count
    FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[])
      WITH ORDINALITY AS given (session_id, generation, first, count, place)
    WHERE h.session_id = given.session_id AND h.generation = given.generation
      AND h.deleted_at IS NULL AND h.head = given.first - 1 AND ${isHeld}
    RETURNING h.session_key, given.place
  ), stored AS (
    INSERT INTO turnwire.events (session_key, seq, type, json, crc)
    SELECT owned.session_key, line.seq, line.type, line.json, line.crc
    FROM unnest($5::bigint[], $6::bigint[], string_to_array($7, E'\\n'),
      string_to_array($8, E'\\n'), string_to_array($9, ',')::bigint[])
      AS line (place, seq, type, json, crc)
    JOIN owned USING (place)
  )
  SELECT place FROM owned`;

/** The places of the batches that were stored, from 1. */
async function insertJointly(
  statements: Statements,
  batches: readonly AppendBatch[],
): Promise<ReadonlySet<number>> {
  const events = batches.flatMap((batch) => batch.events);
  const rows = await statements.run<{ place: number }>(insert, [
    batches.map(({ sessionId }) => sessionId),
    batches.map(({ generation }) => String(generation)),
    batches.map((batch) => String(batch.events[0]?.seq)),
    batches.map((batch) => String(batch.events.length)),
    batches.flatMap((batch, index) => batch.events.map(() => String(index + 1))),
    events.map(({ seq }) => String(seq)),
    ...columnsFromEvents(events),
  ]);
  return new Set(rows.map(({ place }) => place));
}

async function refuse(statements: Statements, batch: AppendBatch): Promise<never> {
  throw await refusalOf(statements, batch);
}
