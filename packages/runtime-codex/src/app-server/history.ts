import * as z from "zod";
import type { RuntimeHistory } from "@turnwire/runtime";
import { hasThreads, personalHome } from "../setting/home.ts";
import type { CodexOptions } from "../setting/options.ts";
import { projectConfig } from "../setting/project-config.ts";
import { eventsFromTurns, isFromElsewhere, PastTurn } from "./past-turn.ts";
import { copyThread, listPersonalThreads, type PersonalThread } from "./personal-thread.ts";
import { resumeCommand } from "../setting/resume-command.ts";
import { RpcError } from "../protocol/rpc-error.ts";
import type { RpcClient } from "../protocol/rpc.ts";
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
  readonly runtime: CodexOptions;
  readonly connect: () => Promise<{ readonly rpc: RpcClient }>;
}

type PastThreadSession = Awaited<ReturnType<RuntimeHistory["list"]>>[number];

/**
 * The threads in Codex's home, also those of its own programs and those in its archive; where that
 * home is not the person's, also those in the person's. Importing one of these copies its file.
 */
export function createCodexHistory(options: CodexHistoryOptions): RuntimeHistory {
  const { runtime, connect } = options;
  return {
    async list() {
      const lists = await Promise.all([listPersonal(runtime), listOwn(runtime, connect)]);
      // What was imported is in both homes. After a revert Codex 0.166.0 lists a thread twice.
      const sessions = new Map(lists.flat().map((past) => [past.provider_session_id, past]));
      return [...sessions.values()]
        .toSorted((left, right) => (left.updated_at < right.updated_at ? 1 : -1))
        .slice(0, maxListed);
    },
    async read(providerSessionId) {
      const { rpc } = await connect();
      const known = await readKnown(rpc, providerSessionId);
      if (known && known.length > 0) return known;
      const isAdopted = await adoptPersonal(providerSessionId, { runtime, rpc });
      return isAdopted ? readKnown(rpc, providerSessionId) : known;
    },
    async readExternal({ providerSessionId, since, knownTurnIds }) {
      const { rpc } = await connect();
      const later = await readTurnsSince(rpc, providerSessionId, Date.parse(since));
      if (later.length === 0) return [];
      const known = await knownTurnIds();
      return later
        .filter((turn) => isFromElsewhere(turn, known))
        .map((turn) => eventsFromTurns(providerSessionId, [turn]));
    },
  };
}

async function listOwn(
  runtime: CodexOptions,
  connect: CodexHistoryOptions["connect"],
): Promise<PastThreadSession[]> {
  if (!(await hasThreads(runtime.home))) return [];
  const { rpc } = await connect();
  const lists = await Promise.all([listThreads(rpc, false), listThreads(rpc, true)]);
  return lists.flat().map((thread) => pastSession(thread, runtime));
}

async function listPersonal(runtime: CodexOptions): Promise<PastThreadSession[]> {
  const home = otherHome(runtime);
  if (home === undefined) return [];
  const threads = await listPersonalThreads(home, maxListed);
  return threads.map((thread) => pastSession(thread, { ...runtime, home }));
}

/** The person's own home, where Codex does not work in it here. */
function otherHome(runtime: CodexOptions): string | undefined {
  const personal = personalHome(runtime);
  return runtime.isHomeShared === true || personal === runtime.home ? undefined : personal;
}

async function readKnown(rpc: RpcClient, threadId: string) {
  try {
    return eventsFromTurns(threadId, await readTurns(rpc, threadId));
  } catch (error) {
    // Codex refuses what it does not know, with the code that it has for everything.
    if (error instanceof RpcError) return undefined;
    throw error;
  }
}

interface Adoption extends Omit<CodexHistoryOptions, "connect"> {
  readonly rpc: RpcClient;
}

/** Copies a thread of the person's into our home. Codex 0.166.0 knows its turns once it has opened it. */
async function adoptPersonal(threadId: string, { runtime, rpc }: Adoption): Promise<boolean> {
  const from = otherHome(runtime);
  const copied = from && (await copyThread(threadId, { from, to: runtime.home }));
  if (!copied) return false;
  const config = await projectConfig({ cwd: copied.cwd });
  await rpc.call("thread/resume", { threadId, excludeTurns: true, sandbox: "read-only", config });
  await rpc.call("thread/unsubscribe", { threadId });
  return true;
}

interface ListedThread extends PastThread {
  readonly isArchived: boolean;
}

async function listThreads(rpc: RpcClient, isArchived: boolean): Promise<ListedThread[]> {
  const order = { sortKey: "updated_at", sortDirection: "desc" };
  // An empty list of providers means all of them.
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

/** Reads from the end, no further than needed. */
async function readTurnsSince(
  rpc: RpcClient,
  threadId: string,
  sinceMs: number,
): Promise<PastTurn[]> {
  const turns: PastTurn[] = [];
  const order = { limit: 10, sortDirection: "desc", itemsView: "full" };
  let cursor: z.infer<typeof Cursor> = null;
  do {
    const params = { threadId, cursor, ...order };
    const page: z.infer<typeof Turns> = Turns.parse(await rpc.call("thread/turns/list", params));
    const later = page.data.filter((turn) => mayHaveBegunAfter(turn, sinceMs));
    turns.push(...later);
    cursor = later.length < page.data.length ? null : page.nextCursor;
  } while (cursor);
  return turns.toReversed();
}

/** Codex counts whole seconds. */
function mayHaveBegunAfter({ startedAt }: PastTurn, timeMs: number): boolean {
  return startedAt !== null && startedAt !== undefined && (startedAt + 1) * 1000 > timeMs;
}

function pastSession(
  thread: ListedThread | PersonalThread,
  runtime: CodexOptions,
): PastThreadSession {
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
