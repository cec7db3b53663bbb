/** The thread that writes: everything that arrived during the last commit is the next transaction. */
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { type Database, loadDriver } from "./driver.ts";
import { storeErrorFrom } from "./failure.ts";
import { checkLength, migrate } from "./migration.ts";
import { checkpoint, clearOpenMark, takeOpenMark } from "./open-mark.ts";
import type { Write, WriterOptions, WriterReport, WriterRequest } from "./write.ts";
import { Writer } from "./writer.ts";

/** Beyond this a transaction takes no more writes: its first one should not wait for all of them. */
const GROUP_EVENTS = 1000;
/** So many bytes of attachments count as an event. */
const EVENT_BYTES = 16 * 1024;
/** With 4 KiB pages a checkpoint every 40 MB; SQLite's default of 4 MB halves the throughput. */
const CHECKPOINT_PAGES = 10_000;
const CHECKPOINT_IDLE_MS = 1000;

if (!parentPort) throw new Error("writer-worker.ts runs only as a worker thread");
const port = parentPort;
// Given by WriterThread, from the same build.
const options = workerData as WriterOptions;
const report = (message: WriterReport) => port.postMessage(message);

try {
  const openDatabase = await loadDriver();
  const database = openDatabase(options.path);
  configure(database);
  serve(database, new Writer(database, options.path, { isRestart: options.isRestart }));
  report({ type: "ready" });
} catch (error) {
  const { code, message } = storeErrorFrom(error, options.path);
  report({ type: "failed", refusal: { code, message } });
}

function configure(database: Database): void {
  database.exec("PRAGMA busy_timeout = 5000");
  checkLength(database, options.path);
  migrate(database, options.path);
  database.prepare("PRAGMA journal_mode = WAL").all();
  database.exec(`
    PRAGMA synchronous = ${options.durability === "fast" ? "NORMAL" : "FULL"};
    PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
    PRAGMA journal_size_limit = ${CHECKPOINT_PAGES * 4096};
  `);
  takeOpenMark(database, options);
}

function serve(database: Database, writer: Writer): void {
  const pending: Write[] = [];
  let isClosing = false;
  let idleTimer: NodeJS.Timeout | undefined;
  let purgeTimer: NodeJS.Immediate | undefined;

  function accept(request: WriterRequest): void {
    if (request.type === "close") isClosing = true;
    else for (const write of request.writes) pending.push(write);
  }

  function commitPending(): void {
    for (;;) {
      let more = receiveMessageOnPort(port);
      for (; more; more = receiveMessageOnPort(port)) accept(more.message);
      if (pending.length === 0) return;
      const group = pending.splice(0, groupSize(pending));
      report({ type: "outcomes", outcomes: writer.commit(group) });
    }
  }

  function rest(): void {
    clearTimeout(idleTimer);
    idleTimer = setTimeout(
      () => attempt(() => checkpoint(database, "PASSIVE")),
      CHECKPOINT_IDLE_MS,
    );
    purgeTimer ??= setImmediate(() => {
      purgeTimer = undefined;
      if (attempt(() => writer.purge())) rest();
    });
  }

  function close(): void {
    clearTimeout(idleTimer);
    clearImmediate(purgeTimer);
    attempt(() => clearOpenMark(database));
    database.close();
    port.close();
  }

  port.on("message", (request: WriterRequest) => {
    accept(request);
    commitPending();
    if (isClosing) close();
    else rest();
  });
  rest();
}

function groupSize(writes: readonly Write[]): number {
  let events = 0;
  const end = writes.findIndex((write) => {
    if (write.type !== "append") return events >= GROUP_EVENTS;
    for (const { count } of write.batch.events) events += count;
    for (const { size } of write.batch.attachments ?? []) events += size / EVENT_BYTES;
    return events >= GROUP_EVENTS;
  });
  return end === -1 ? writes.length : end + 1;
}

/** For work that loses nothing when it fails and is tried again later, such as on a full disk. */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
