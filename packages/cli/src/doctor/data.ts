import { access, constants, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  checkToken,
  loadToken,
  openSqliteStore,
  sqliteVersion,
  StoreError,
  TransportError,
} from "@turnwire/server";
import { askHealth, readAddress, tokenPath } from "../server-address.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

async function statsOf(path: string) {
  return stat(path).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
}

export async function checkDirectory(path: string): Promise<Finding> {
  const stats = await statsOf(path);
  if (!stats) return ok("data", `${path} will be made at the first start`);
  if (!stats.isDirectory())
    return problem("data", `${path} is no directory`, "Move it away, or use --data.");
  const mode = stats.mode & 0o777;
  const shown = mode.toString(8);
  if (process.getuid && stats.uid !== process.getuid()) {
    return problem("data", `${path} belongs to another user`, "Use another directory with --data.");
  }
  if (mode & 0o022) {
    return problem(
      "data",
      `${path} can be written by others (mode ${shown})`,
      `Run: chmod 700 ${path}`,
    );
  }
  const isWritable = await access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable) return problem("data", `${path} cannot be written`, `Run: chmod 700 ${path}`);
  return mode & 0o077
    ? warning("data", `${path} can be seen by others (mode ${shown})`, `Run: chmod 700 ${path}`)
    : ok("data", `${path} (mode ${shown})`);
}

export async function checkTokenFile(
  dataDirectory: string,
  env: NodeJS.ProcessEnv,
): Promise<Finding> {
  const path = tokenPath(dataDirectory);
  const given = env["TURNWIRE_TOKEN"];
  try {
    if (given) {
      checkToken(given, "TURNWIRE_TOKEN");
      return ok("token", "from TURNWIRE_TOKEN");
    }
    if (!(await statsOf(path))) return ok("token", "will be made at the first start");
    await loadToken(dataDirectory);
    return ok("token", `${path} (only you can read it)`);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    const next = given ? "Set a longer TURNWIRE_TOKEN, or none." : `Run: rm ${path}`;
    return problem("token", error.message, next);
  }
}

function sizeText(bytes: number): string {
  return bytes < 1_000_000
    ? `${Math.ceil(bytes / 1000)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Opens the store as a server would, or an empty one elsewhere where there is none yet. */
export async function checkStore(dataDirectory: string, isRunning: boolean): Promise<Finding> {
  const path = join(dataDirectory, "turnwire.db");
  const stats = await statsOf(path);
  if (isRunning) return ok("store", `${path} is in use by the running server`);
  const trial = stats ? undefined : await mkdtemp(join(tmpdir(), "turnwire-doctor-"));
  try {
    const store = await openSqliteStore({ path: trial ? join(trial, "turnwire.db") : path });
    await store.close();
    const version = `SQLite ${await sqliteVersion()}`;
    return ok(
      "store",
      stats
        ? `${path} opens (${version}, ${sizeText(stats.size)})`
        : `${version} works; no data yet`,
    );
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return problem("store", error.message, "Use another directory with --data.");
  } finally {
    if (trial) await rm(trial, { recursive: true });
  }
}

/** Whether the server that the directory names still runs. */
export async function checkServer(
  dataDirectory: string,
  running: { readonly url: string; readonly pid: number } | undefined,
): Promise<Finding> {
  if (running) {
    const place = `runs at ${running.url} (pid ${running.pid})`;
    const health = await askHealth(running.url);
    return health?.problem === undefined
      ? ok("server", place)
      : problem("server", `${place}: ${health.problem}`, "Free space, or start it again.");
  }
  return (await readAddress(dataDirectory))
    ? warning("server", "none runs; one that died left its address", "The next start tidies up.")
    : ok("server", "none runs; turnwire serve starts one");
}
