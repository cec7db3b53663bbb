import type { CatalogEntry, JsonObject, McpServer } from "@turnwire/protocol";
import * as z from "zod";
import { detach } from "@turnwire/base";
import { type RunOptions, RuntimeError, paramsFrom } from "@turnwire/runtime";
import type { Connection } from "./app-server.ts";
import { gateConfig } from "../gate/gate-config.ts";
import { CodexParams } from "../setting/options.ts";
import { projectConfig } from "../setting/project-config.ts";
import type { Policy } from "../setting/policy.ts";
import { RpcError } from "../protocol/rpc-error.ts";
import type { RpcClient, RpcId } from "../protocol/rpc.ts";
import type { ThreadReader } from "../protocol/thread-router.ts";
import { readThreadTools, type ThreadTools } from "../setting/thread-tools.ts";
import type { ThreadName } from "./title.ts";
import { uiNamespaceTools } from "../protocol/ui-namespace.ts";

/** How a thread begins. */
export interface ThreadStart {
  readonly run: RunOptions;
  readonly policy: Policy;
  /** Whether a policy mode is in force: then Codex asks about everything. */
  readonly isGated: boolean;
  readonly model: string | undefined;
  /** Settings that define further sub-agents. */
  readonly agents: JsonObject;
  /** The thread to resume. */
  readonly resume: string | undefined;
  readonly reader: ThreadReader;
}

const Name = z.string().nullish();
const Opened = z.object({
  thread: z.object({ id: z.string(), name: Name, preview: Name, path: z.string().nullish() }),
  model: z.string(),
});

/** A thread of the app-server, and the way to it. */
export class CodexThread {
  readonly id: string;
  /** The model it began with. */
  readonly model: string;
  /** How it was called when it was opened. */
  readonly called: ThreadName;
  /** Whether it was opened to ask about everything. */
  readonly isGated: boolean;
  /** What its model has of our tools. */
  readonly tools: ThreadTools;
  /** Resolves with the reason when the process is gone. */
  readonly lost: Promise<RuntimeError>;
  readonly connection: Connection;
  readonly #reader: ThreadReader;

  private constructor(
    connection: Connection,
    { thread, model }: z.infer<typeof Opened>,
    { reader, isGated, tools }: Pick<ThreadStart, "reader" | "isGated"> & { tools: ThreadTools },
  ) {
    this.id = thread.id;
    this.model = model;
    this.called = thread;
    this.isGated = isGated;
    this.tools = tools;
    this.connection = connection;
    this.lost = connection.rpc.closed;
    this.#reader = reader;
    connection.router.claim(this.id, reader);
  }

  /** Starts a thread or resumes one. Rejects with a RuntimeError. */
  static async open(connection: Connection, start: ThreadStart): Promise<CodexThread> {
    const { run, resume, isGated } = start;
    const { rpc } = connection;
    try {
      const config = {
        ...threadConfig(run, isGated),
        ...start.agents,
        ...(await projectConfig(run)),
        ...(isGated && (await gateConfig(rpc, run))),
      };
      const params = { ...startParams(start), config };
      const catalog = run.ui?.catalog() ?? [];
      const opened = Opened.parse(
        resume === undefined
          ? await rpc.call("thread/start", { ...params, dynamicTools: toolsFor(run, catalog) })
          : await resumeThread(rpc, resume, params),
      );
      const tools =
        resume === undefined
          ? { hasUiTools: true, knowsCatalog: true }
          : await readThreadTools(opened.thread.path, catalog);
      return new CodexThread(connection, opened, { ...start, tools });
    } catch (cause) {
      throw openError(cause, resume);
    }
  }

  /** Calls a method of this thread. Rejects with a RuntimeError. */
  async call(method: string, params: object = {}): Promise<unknown> {
    try {
      return await this.connection.rpc.call(method, { threadId: this.id, ...params });
    } catch (cause) {
      throw refusal(cause, method);
    }
  }

  respond(id: RpcId, result: unknown): Promise<void> {
    return this.connection.rpc.respond(id, result);
  }

  refuse(id: RpcId, message: string): Promise<void> {
    return this.connection.rpc.refuse(id, { code: -32601, message });
  }

  /** Wants nothing more of it; Codex may then unload it. */
  leave(): void {
    this.connection.router.leave(this.id, this.#reader);
    detach(this.call("thread/unsubscribe"), () => undefined);
  }
}

/** Codex refuses what is in its archive, with no code of its own: whoever resumes it wants it out of there. */
async function resumeThread(rpc: RpcClient, threadId: string, params: object): Promise<unknown> {
  const resume = () => rpc.call("thread/resume", { ...params, threadId, excludeTurns: true });
  try {
    return await resume();
  } catch (refusal) {
    if (!(refusal instanceof RpcError)) throw refusal;
    const [unarchived] = await Promise.allSettled([rpc.call("thread/unarchive", { threadId })]);
    if (unarchived.status === "rejected") throw refusal;
    return resume();
  }
}

function startParams({ run, policy, model, isGated }: ThreadStart): object {
  const { approvalPolicy, sandbox } = policy;
  const { cwd, systemPrompt } = run;
  return {
    cwd,
    approvalPolicy,
    // A person's settings may have another model answer instead.
    ...(isGated && { approvalsReviewer: "user" }),
    sandbox,
    ...(model !== undefined && { model }),
    ...(systemPrompt && instructionsFrom(systemPrompt)),
  };
}

/** Settings as in config.toml that hold for this thread alone. They go by the connection, so no secret is on a command line. */
function threadConfig({ mcpServers, agents }: RunOptions, isGated: boolean): object {
  return {
    // Each by a key of its own: a table of them would replace those of the settings.
    ...Object.fromEntries(
      Object.entries(mcpServers ?? {}).map(([name, server]) => [
        `mcp_servers.${name}`,
        {
          ...mcpServerFrom(server),
          ...(isGated && { default_tools_approval_mode: "prompt" }),
        },
      ]),
    ),
    ...(agents?.maxAtOnce !== undefined && { "agents.max_threads": agents.maxAtOnce }),
    ...(agents?.maxDepth !== undefined && { "agents.max_depth": agents.maxDepth }),
  };
}

function mcpServerFrom(server: McpServer): object {
  if (server.type === "http") {
    const { url, headers } = server;
    return { url, ...(headers && { http_headers: headers }) };
  }
  const { command, args, env } = server;
  return { command, ...(args && { args }), ...(env && { env }) };
}

/** Codex's own instructions stay unless they are replaced. */
function instructionsFrom({ mode, text }: NonNullable<RunOptions["systemPrompt"]>): object {
  return mode === "replace" ? { baseInstructions: text } : { developerInstructions: text };
}

/** Tools are given once, when the thread starts; Codex keeps them with it. */
function toolsFor({ params }: RunOptions, catalog: readonly CatalogEntry[]): object[] {
  const { frontend_tools = [] } = paramsFrom(CodexParams, params);
  const frontend = frontend_tools.map(({ name, description, input_schema }) => ({
    type: "function",
    name,
    description,
    inputSchema: input_schema,
  }));
  return [uiNamespaceTools(catalog), ...frontend];
}

function openError(cause: unknown, resume: string | undefined): RuntimeError {
  if (!(cause instanceof RpcError)) return refusal(cause, "the thread");
  return resume === undefined
    ? new RuntimeError("spawn_failed", `Codex could not begin: ${cause.message}`, { cause })
    : new RuntimeError("resume_failed", `Codex could not resume this session: ${cause.message}`, {
        cause,
      });
}

function refusal(cause: unknown, what: string): RuntimeError {
  if (cause instanceof RuntimeError) return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new RuntimeError("protocol", `Codex refused ${what}: ${why}`, { cause });
}
