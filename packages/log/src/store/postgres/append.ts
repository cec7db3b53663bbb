import { crc32 } from "node:zlib";
import { changeFrom } from "../../search/said.ts";
import type { AppendBatch } from "../../store.ts";
import type { StoreError } from "../../store-error.ts";
import { appendRefusal, inputExists, leaseLost } from "../refusal.ts";
import { insertAttachments } from "./attachment-table.ts";
import type { Database, SqlValue, Statements } from "./database.ts";
import { columnsFromEvents } from "./event-table.ts";
import { brokenConstraint } from "./failure.ts";
import { isHeld } from "./holder-table.ts";
import { answerEntries } from "./inbox-table.ts";
import { columnsFromPatch } from "./record-row.ts";
import { applySaid } from "./search-table.ts";
import { positionOf } from "./session-table.ts";

/**
 * Appends a batch: generation, holder and head are checked, and the rows written, in one statement.
 * What has attachments, answers, or words to be found takes a few more, in one transaction.
 */
export async function appendBatch(database: Database, batch: AppendBatch): Promise<void> {
  const { attachments = [], answers = [], events, sessionId } = batch;
  const changes = events.flatMap((event) => changeFrom(event) ?? []);
  const isPlain = attachments.length === 0 && answers.length === 0 && changes.length === 0;
  try {
    if (isPlain) {
      await database.use((statements, isRepeat) => appendOnce(statements, batch, isRepeat), {
        isRepeatable: true,
      });
      return;
    }
    await database.transaction(
      async (statements, isRepeat) => {
        const sessionKey = await appendOnce(statements, batch, isRepeat);
        if (sessionKey === undefined) return;
        await answerEntries(statements, { sessionId, sessionKey, isRepeat }, answers);
        await insertAttachments(statements, { sessionId, sessionKey }, attachments);
        for (const change of changes) await applySaid(statements, sessionKey, change);
      },
      { isRepeatable: true },
    );
  } catch (error) {
    if (brokenConstraint(error) !== "inputs_pkey") throw error;
    throw inputExists(sessionId, batch.inputs?.[0]?.clientMessageId ?? "");
  }
}

/** The key of the session; undefined when an earlier attempt has done everything. */
async function appendOnce(
  statements: Statements,
  batch: AppendBatch,
  isRepeat: boolean,
): Promise<number | undefined> {
  if (isContiguous(batch)) {
    const { text, values } = statementOf(batch);
    const [owned] = await statements.run<{ session_key: number }>(text, values);
    if (owned) return owned.session_key;
    if (isRepeat && (await isStored(statements, batch))) return undefined;
  }
  throw await refusalOf(statements, batch);
}

export function isContiguous({ events }: AppendBatch): boolean {
  const first = events[0]?.seq ?? 1;
  return Number.isInteger(first) && events.every(({ seq }, index) => seq === first + index);
}

/** A few texts, each prepared once per connection. */
function statementOf(batch: AppendBatch): { text: string; values: SqlValue[] } {
  const { sessionId, generation, events, inputs = [], patch = {} } = batch;
  const values: SqlValue[] = [sessionId, generation, events[0]?.seq ?? null, events.length];
  const parts: string[] = [];
  const place = (given: readonly SqlValue[]) => given.map((value) => `$${values.push(value)}`);
  if (events.length > 0) {
    const [types, jsons, crcs] = place(columnsFromEvents(events));
    parts.push(`stored AS (
      INSERT INTO turnwire.events (session_key, seq, type, json, crc)
      SELECT owned.session_key, owned.before + line.place, line.type, line.json, line.crc
      FROM owned, unnest(string_to_array(${types}, E'\\n'), string_to_array(${jsons}, E'\\n'),
        string_to_array(${crcs}, ',')::bigint[]) WITH ORDINALITY AS line (type, json, crc, place))`);
  }
  if (inputs.length > 0) {
    const [ids, seqs, digests] = place([
      inputs.map(({ clientMessageId }) => JSON.stringify(clientMessageId)),
      inputs.map(({ seq }) => String(seq)),
      inputs.map(({ digest }) => digest),
    ]);
    parts.push(`taken AS (
      INSERT INTO turnwire.inputs (session_key, client_message_id, seq, digest)
      SELECT owned.session_key, line.id, line.seq, line.digest
      FROM owned, unnest(${ids}::text[], ${seqs}::bigint[], ${digests}::text[])
        AS line (id, seq, digest))`);
  }
  if (Object.keys(patch).length > 0) {
    const [status, activity, updatedAt, isWhole, facts] = place(columnsFromPatch(patch));
    parts.push(`patched AS (
      UPDATE turnwire.sessions AS s SET status = coalesce(${status}, s.status),
        activity = coalesce(${activity}, s.activity),
        updated_at = coalesce(${updatedAt}, s.updated_at),
        is_partial = s.is_partial AND NOT ${isWhole}::boolean,
        facts = jsonb_strip_nulls(s.facts || ${facts}::jsonb)
      FROM owned WHERE s.session_key = owned.session_key)`);
  }
  const owned = `owned AS (
    UPDATE turnwire.heads AS h SET head = h.head + $4
    WHERE h.session_id = $1 AND h.generation = $2 AND h.deleted_at IS NULL
      AND ($3::bigint IS NULL OR h.head = $3 - 1) AND ${isHeld}
    RETURNING h.session_key, h.head - $4 AS before)`;
  return { text: `WITH ${[owned, ...parts].join(", ")} SELECT session_key FROM owned`, values };
}

const storedEvent = `
  SELECT FROM turnwire.heads AS h JOIN turnwire.events AS e USING (session_key)
  WHERE h.session_id = $1 AND h.generation = $2 AND e.seq = $3 AND e.crc = $4`;

/** Whether the events are there. Only this generation can have written them. */
export async function isStored(statements: Statements, batch: AppendBatch): Promise<boolean> {
  const last = batch.events.at(-1);
  if (!last) return false;
  const values = [batch.sessionId, batch.generation, last.seq, crc32(last.json)];
  return (await statements.run(storedEvent, values)).length > 0;
}

export async function refusalOf(statements: Statements, batch: AppendBatch): Promise<StoreError> {
  const position = await positionOf(statements, batch.sessionId);
  return appendRefusal(position, batch) ?? leaseLost(position, batch.generation);
}
