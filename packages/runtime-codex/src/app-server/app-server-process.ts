import type { AgentAccount, ModelInfo } from "@turnwire/protocol";
import { tmpdir } from "node:os";
import { stripVTControlCharacters } from "node:util";
import { errorText } from "@turnwire/base";
import * as z from "zod";
import { type AgentProcess, spawnAgentProcess } from "@turnwire/runtime/process";
import { RuntimeError, readServerVersion } from "@turnwire/runtime";
import { readAccount } from "../setting/account.ts";
import { codexBinary } from "../setting/binary.ts";
import { codexEnvironment } from "../setting/environment.ts";
import { prepareHome } from "../setting/home.ts";
import { configArguments, type CodexOptions } from "../setting/options.ts";
import { readModels } from "../setting/model.ts";
import { connectRemote } from "./remote-server.ts";
import {
  type RpcChannel,
  type RpcNotification,
  RpcClient,
  type RpcRequest,
} from "../protocol/rpc.ts";
import { RpcError } from "../protocol/rpc-error.ts";
import { firstStart } from "../setting/first-start.ts";

/** What one app-server process reports. */
export interface ProcessListener {
  readonly onNotification: (
    notification: RpcNotification,
    process: AppServerProcess,
  ) => void | Promise<void>;
  readonly onRequest: (request: RpcRequest, process: AppServerProcess) => void | Promise<void>;
}

/** One app-server process that has been greeted. */
export interface AppServerProcess {
  readonly rpc: RpcClient;
  /** Undefined where the server is somebody else's. */
  readonly pid: number | undefined;
  readonly models: readonly ModelInfo[];
  /** The account, as soon as it is known; no start waits for it. */
  readonly account: Promise<AgentAccount | undefined>;
  stop(): Promise<void>;
}

const Config = z.object({ config: z.looseObject({ model: z.string().nullish() }) });

/** Starts an app-server, greets it, and makes sure that it can read its settings. Rejects with a RuntimeError. */
export async function startAppServer(
  options: CodexOptions,
  listener: ProcessListener,
): Promise<AppServerProcess> {
  const { url, home } = options;
  if (url !== undefined) return greeted(await connectRemote(url, options), options, listener);
  return firstStart(home, async () => greeted(await spawn(options), options, listener));
}

async function greeted(
  process: RpcChannel & { readonly pid?: number },
  options: CodexOptions,
  listener: ProcessListener,
): Promise<AppServerProcess> {
  const { startMs = 30_000, callMs, clock } = options;
  const rpc = new RpcClient(process, {
    onNotification: (notification) => listener.onNotification(notification, started),
    onRequest: (request) => listener.onRequest(request, started),
    ...(clock && { clock }),
    ...(callMs !== undefined && { limits: { callMs } }),
  });
  const models: ModelInfo[] = [];
  let account: Promise<AgentAccount | undefined> = Promise.resolve(undefined);
  const started: AppServerProcess = {
    rpc,
    pid: process.pid,
    models,
    get account() {
      return account;
    },
    stop: async () => {
      await process.stop();
    },
  };
  try {
    const configured = await greet(rpc, startMs);
    models.push(...(await readModels(rpc, options.model ?? configured)));
    account = readAccount(rpc);
    return started;
  } catch (cause) {
    await process.stop();
    throw startError(cause, rpc.stderr);
  }
}

async function spawn(options: CodexOptions): Promise<AgentProcess> {
  const { config = {}, executable, registry, limits, logger } = options;
  const access = await prepareHome(options);
  return spawnAgentProcess({
    command: codexBinary(executable),
    args: ["app-server", ...configArguments({ ...access, ...config })],
    // Each thread has its own directory; this one must only not go away.
    cwd: tmpdir(),
    env: codexEnvironment(options),
    ...(registry && { registry }),
    ...(logger && { logger }),
    ...(limits && { limits }),
  });
}

/**
 * A server with broken settings starts all the same and refuses every thread later: it is asked at once.
 * Answers with the model that the settings name.
 */
async function greet(rpc: RpcClient, timeoutMs: number): Promise<string | undefined> {
  const version = await readServerVersion();
  const clientInfo = { name: "turnwire", title: "Turnwire", version };
  const capabilities = { experimentalApi: true, requestAttestation: false };
  await rpc.call("initialize", { clientInfo, capabilities }, { timeoutMs });
  await rpc.notify("initialized");
  const answer = await rpc.call("config/read", { includeLayers: false }, { timeoutMs });
  return Config.parse(answer).config.model ?? undefined;
}

/** Before the greeting there was no session: what Codex wrote is about its start. */
function startError(cause: unknown, stderr: string): RuntimeError {
  if (cause instanceof RuntimeError && cause.code === "stalled") {
    return new RuntimeError("start_timeout", `Codex was not ready in time: ${cause.message}`, {
      cause,
    });
  }
  const last = cause instanceof RpcError ? "" : lastLine(stderr);
  const why = `${errorText(cause)}${last && ` It said: ${last}`}`;
  return new RuntimeError("spawn_failed", `Codex could not start: ${why}`, { cause });
}

/** Without the colours that Codex gives its log. */
function lastLine(stderr: string): string {
  const plain = stripVTControlCharacters(stderr).trim();
  return plain.slice(plain.lastIndexOf("\n") + 1);
}
