import { access, constants, stat } from "node:fs/promises";
import { TransportError } from "@turnwire/server";
import { checkToken, loadToken } from "@turnwire/server/standalone";
import { askHealth, readAddress, tokenPath } from "../connection/server-address.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

export async function statsOf(path: string) {
  return stat(path).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
}

export async function checkDirectory(path: string): Promise<Finding> {
  const stats = await statsOf(path);
  if (!stats) return ok("data", `${path} will be made at the first start`);
  if (!stats.isDirectory())
    return problem("data", `${path} is not a directory`, "Move it away, or use --data.");
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
      : problem(
          "server",
          `${place}: ${health.problem}`,
          "Free space on the disk, or see to the database; start it again if that does not help.",
        );
  }
  return (await readAddress(dataDirectory))
    ? warning("server", "none runs; one that died left its address", "The next start tidies up.")
    : ok("server", "none runs; turnwire serve starts one");
}
