import type { AppendBatch } from "../../store.ts";
import { appendBatch } from "./append.ts";
import type { Database } from "./database.ts";
import { type PageReader, type PageRequest, readPages } from "./event-table.ts";
import { isRefused } from "./failure.ts";
import { appendJointly, isPlain } from "./joint-append.ts";
import { JointWork } from "./joint-work.ts";

/** Few, so that a busy host has few statements that do much; more than one, since one may wait for a lock. */
const APPEND_LANES = 2;
const READ_LANES = 2;
/** Bytes of JSON text, about, that one statement writes and reads at most. */
const APPEND_LENGTH = 1024 * 1024;
const READ_BYTES = 4 * 1024 * 1024;

/** What hosts do most, for many sessions at once. */
export interface JointStatements {
  readonly append: (batch: AppendBatch) => Promise<void>;
  readonly readPage: PageReader;
}

export function jointStatements(database: Database): JointStatements {
  const appends = new JointWork<AppendBatch, void>({
    lanes: APPEND_LANES,
    maxSize: APPEND_LENGTH,
    sizeOf: ({ events }) => events.reduce((sum, { json }) => sum + json.length, 0),
    work: (batches) => appendJointly(database, batches),
    isRefused,
  });
  const reads = new JointWork<PageRequest, Awaited<ReturnType<PageReader>>>({
    lanes: READ_LANES,
    maxSize: READ_BYTES,
    sizeOf: ({ bytes }) => bytes,
    work: async (requests) => {
      const pages = await readPages(database, requests);
      return pages.map((value) => ({ status: "fulfilled", value }));
    },
    isRefused,
  });
  return {
    append: (batch) => (isPlain(batch) ? appends.do(batch) : appendBatch(database, batch)),
    readPage: (request) => reads.do(request),
  };
}
