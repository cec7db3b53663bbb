/**
 * Several hosts over one Postgres, in phases: durable appends through the store, beside bare statements;
 * from the moment an event is made on one host to its arrival at a reader of another, with one, two and
 * three hosts, beside the least that takes: rows, a NOTIFY and a read by another connection; what it
 * costs to know 10,000 sessions, and to follow 1,000 that another host holds.
 */
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startLocalPostgres } from "@turnwire/log/postgres";
import { endChildren } from "./child.ts";
import { type Phase, phases, quickExtent, tableOf, wholeExtent } from "./hosts/phase.ts";
import { PostgresUse } from "./hosts/postgres-use.ts";
import { note, publish, reportOf, round, type Row, type Table, tableText } from "./report.ts";

const help = `npm run bench:hosts -- [options]

  --phase NAME   only this phase, or these where it is given several times: ${Object.keys(phases).join(", ")}
  --quick        fewer and smaller measurements, to see that it works: about a minute
  --write FILE   keeps what was found up to now, after each phase; "npm run bench:readme -- FILE" takes it
  --json         prints one line of JSON at the end instead of tables
  --help         prints this

A whole run takes about five minutes on two quiet cores. No phase takes longer than its limit.`;

const { values } = parseArgs({
  options: {
    phase: { type: "string", multiple: true },
    quick: { type: "boolean", default: false },
    write: { type: "string" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const all = new Map<string, Phase>(Object.entries(phases));
const names = values.phase ?? [...all.keys()];
const unknown = names.filter((name) => !all.has(name));
if (values.help || unknown.length > 0) {
  if (unknown.length > 0) console.error(`There is no phase ${unknown.join(", ")}.\n`);
  console.log(help);
  process.exit(unknown.length > 0 ? 2 : 0);
}

const directory = await mkdtemp(join(tmpdir(), "turnwire-bench-"));
// Where this runs as root the server is another user, who has to get through.
await chmod(directory, 0o711);
const data = join(directory, "data");
const server = await startLocalPostgres({
  directory: data,
  settings: { max_connections: "200" },
});
const postgres = await PostgresUse.open(server.url("postgres"), data);
for (const cause of ["SIGINT", "SIGTERM", "uncaughtException"] as const) {
  process.once(cause, (reason: unknown) => {
    note(`ended by ${cause}: ${String(reason)}`);
    void cleanUp().finally(() => process.exit(1));
  });
}

const tables: Table[] = [];
for (const name of names) {
  const phase = all.get(name);
  if (!phase) continue;
  try {
    await measure(name, phase);
  } catch (error) {
    note(`${name} failed: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
  endChildren();
}
if (values.json) publish("hosts", tables);
await cleanUp();
// A phase that failed may have left something open, which must not keep the program running.
process.exit();

async function measure(name: string, phase: Phase): Promise<void> {
  const startedAtMs = performance.now();
  note(`${name}: begins, load ${loadText()}`);
  await postgres.createDatabase(`bench_${name}`);
  const setup = {
    extent: values.quick ? quickExtent : wholeExtent,
    url: server.url(`bench_${name}`),
    root: directory,
    postgres,
  };
  const rows = await within(phase.limitSeconds, phase.measure(setup));
  const seconds = Math.round((performance.now() - startedAtMs) / 1000);
  note(`${name}: took ${seconds} s, load ${loadText()}`);
  const title = `${phase.title} (load ${loadText()})`;
  const table = tableOf({ ...phase, title }, rows);
  tables.push(table);
  if (!values.json) console.log(`${tableText(table)}\n`);
  if (values.write !== undefined) {
    await writeFile(values.write, `${JSON.stringify([reportOf("hosts", tables)], null, 2)}\n`);
  }
}

async function within(seconds: number, work: Promise<Row[]>): Promise<Row[]> {
  const done = new AbortController();
  const late = setTimeout(seconds * 1000, undefined, { signal: done.signal }).then(() => {
    throw new Error(`it did not end within ${seconds} s`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    late.catch(() => undefined);
    done.abort();
  }
}

function loadText(): string {
  return String(round(loadavg()[0] ?? Number.NaN, 1));
}

async function cleanUp(): Promise<void> {
  endChildren();
  await postgres.close().catch(() => undefined);
  await server.close();
  await rm(directory, { recursive: true, force: true });
}
