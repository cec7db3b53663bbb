import * as z from "zod";
import type { RuntimeHistory } from "../runtime.ts";
import { hasThreads } from "./home.ts";
import type { CodexRuntimeOptions } from "./options.ts";
import { eventsFromTurns, PastTurn } from "./past-turn.ts";
import { resumeCommand } from "./resume-command.ts";
import { RpcError } from "./rpc-error.ts";
import type { RpcClient } from "./rpc.ts";
import { titleOf } from "./title.ts";

const maxListed = 200;

/** Whoever began it; those of sub-agents belong to the thread above. */
const sourceKinds = ["cli", "vscode", "exec", "appServer", "unknown"];

const PastThread = z.object({
  id: z.string(),
  cwd: z.string(),
  name: z.string().nullish(),
  preview: z.string().nullish(),
  updatedAt: z.number(),
});
type PastThread = z.infer<typeof PastThread>;

const pageSize = 100;

const Cursor = z.string().nullish();
const Threads = z.object({ data: z.array(PastThread), nextCursor: Cursor });
const Turns = z.object({ data: z.array(PastTurn), nextCursor: Cursor });

export interface CodexHistoryOptions {
  readonly runtime: CodexRuntimeOptions;
  readonly connect: () => Promise<{ readonly rpc: RpcClient }>;
}

/** The threads in Codex's home, also those of its own programs and those in its archive. */
export function createCodexHistory({ runtime, connect }: CodexHistoryOptions): RuntimeHistory {
  return {
    async list() {
      if (!(await hasThreads(runtime.home))) return [];
      const { rpc } = await connect();
      const lists = await Promise.all([listThreads(rpc, false), listThreads(rpc, true)]);
      // After a revert Codex 0.166.0 lists a thread twice.
      const threads = new Map(lists.flat().map((thread) => [thread.id, thread]));
      return [...threads.values()]
        .toSorted((left, right) => right.updatedAt - left.updatedAt)
        .slice(0, maxListed)
        .map((thread) => pastSession(thread, runtime));
    },
    async read(providerSessionId) {
      const { rpc } = await connect();
      try {
        return eventsFromTurns(providerSessionId, await readTurns(rpc, providerSessionId));
      } catch (error) {
        // Codex refuses what it does not know, with the code that it has for everything.
        if (error instanceof RpcError) return undefined;
        throw error;
      }
    },
  };
}

interface ListedThread extends PastThread {
  readonly isArchived: boolean;
}

async function listThreads(rpc: RpcClient, isArchived: boolean): Promise<ListedThread[]> {
  const order = { sortKey: "updated_at", sortDirection: "desc" };
  // An empty list of providers stands for all of them.
  const wish = { sourceKinds, modelProviders: [], archived: isArchived, ...order };
  const threads: ListedThread[] = [];
  let cursor: z.infer<typeof Cursor> = null;
  do {
    const params = { ...wish, cursor, limit: pageSize };
    const page: z.infer<typeof Threads> = Threads.parse(await rpc.call("thread/list", params));
    threads.push(...page.data.map((thread) => ({ ...thread, isArchived })));
    cursor = page.nextCursor;
  } while (cursor && threads.length < maxListed);
  return threads;
}

async function readTurns(rpc: RpcClient, threadId: string): Promise<PastTurn[]> {
  const turns: PastTurn[] = [];
  let cursor: z.infer<typeof Cursor> = null;
  do {
    const params = { threadId, cursor, limit: pageSize, sortDirection: "asc", itemsView: "full" };
    const page: z.infer<typeof Turns> = Turns.parse(await rpc.call("thread/turns/list", params));
    turns.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor);
  return turns;
}

function pastSession(thread: ListedThread, runtime: CodexRuntimeOptions) {
  const { id, cwd, updatedAt, isArchived } = thread;
  const title = titleOf(thread);
  return {
    provider_session_id: id,
    ...(title !== undefined && { title }),
    cwd,
    updated_at: new Date(updatedAt * 1000).toISOString(),
    resume_command: resumeCommand({ providerSessionId: id, cwd, isArchived }, runtime),
  };
}
