import { access, constants } from "node:fs/promises";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import type { Runtime } from "@turnwire/runtime";
import type { ContainmentStatus } from "@turnwire/runtime/containment";
import { type Finding, ok, problem, warning } from "./finding.ts";

const OLDEST_NODE = { major: 20, minor: 19 };

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  const isOld =
    major < OLDEST_NODE.major || (major === OLDEST_NODE.major && minor < OLDEST_NODE.minor);
  return isOld
    ? problem("node", `${version} is too old`, "Install Node 20.19 or newer.")
    : ok("node", version);
}

/** The first of the programs that PATH leads to. */
async function findProgram(
  names: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  for (const directory of (env["PATH"] ?? "").split(delimiter).filter(Boolean)) {
    for (const name of names) {
      const path = join(directory, name);
      if (await isExecutable(path)) return path;
    }
  }
  return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Whether commands can be held to policy modes by the kernel. */
export function checkContainment({ containment, problem }: ContainmentStatus): Finding {
  const name = "containment";
  if (containment) return ok(name, `${containment.path} holds commands to policy modes`);
  return warning(
    name,
    "policy modes allow only plain commands",
    problem.charAt(0).toUpperCase() + problem.slice(1),
  );
}

export async function checkBrowser(env: NodeJS.ProcessEnv): Promise<Finding> {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
  const path = await findProgram(names, env);
  return path === undefined
    ? warning(
        "browser",
        "no Chromium on PATH",
        "Only browser tests need it; install chromium for them.",
      )
    : ok("browser", `${path} (for browser tests)`);
}

/** Whether the port can be listened on right now. */
export async function checkPort(host: string, port: number): Promise<Finding> {
  const server = createServer();
  const failure = await new Promise<Error | undefined>((resolve) => {
    server.once("error", resolve);
    server.listen({ host, port }, () => server.close(() => resolve(undefined)));
  });
  const place = `${host}:${port}`;
  if (!failure) return ok("port", `${place} is free`);
  const isTaken = "code" in failure && failure.code === "EADDRINUSE";
  return problem(
    "port",
    isTaken ? `${place} is taken by another program` : `${place}: ${failure.message}`,
    "Choose another with --port, or a free one with --port 0.",
  );
}

/** `defaultName` is the runtime that sessions get which name none. */
export async function checkRuntime(
  runtime: Runtime,
  defaultName: string | undefined,
): Promise<Finding> {
  const name = `runtime ${runtime.name}`;
  const { isAvailable, connection, details = {}, problem } = await runtime.check();
  if (!isAvailable) return warning(name, "not connected", problem ?? "It did not say why.");
  const state = connection?.status === "scripted" ? "scripted, touches nothing" : "connected";
  const facts = [
    ...(runtime.name === defaultName ? ["the default"] : []),
    ...Object.entries(details).map(([key, value]) => `${key} ${value}`),
  ];
  return ok(name, [state, ...facts].join(", "));
}
