import { dirname, basename, join } from "node:path";
import { type Clock, type Logger, Semaphore } from "@turnwire/base";
import {
  accepted,
  rejected,
  type Result,
  type Worktree,
  type WorktreeChoice,
  type WorktreeInfo,
  type WorktreeList,
  type WorktreeRemoval,
  type WorktreeSetup,
  type Principal,
  canReach,
} from "@turnwire/protocol";
import type { SessionRecord, Store } from "@turnwire/log";
import { isInside, type ProcessRegistry } from "@turnwire/runtime/process";
import { Serial } from "@turnwire/log/list";
import type { Projects } from "../project/projects.ts";
import type { TrustedDirectories } from "../trust/trusted-directories.ts";
import { openDirectory } from "../project/working-directory.ts";
import { worktreeFailed } from "./failure.ts";
import { DirectoryHolds } from "./directory-holds.ts";
import { inspectWorktree } from "./inspect-worktree.ts";
import { makeWorktree, type MadeWorktree, type WorktreeWish } from "./make-worktree.ts";
import { undoWorktree } from "./add-worktree.ts";
import { describeRemoval } from "./removal.ts";
import { removeWorktree, sweepAside } from "./remove-worktree.ts";
import { allSessions } from "./all-sessions.ts";
import { worktreeId, type WorktreeRecord, WorktreeRecords } from "./worktree-records.ts";
import { realpath } from "node:fs/promises";

/** What an embedder, or the program that serves, decides about worktrees. */
export interface WorktreeSettings extends WorktreeSetup {
  /** Where worktrees are made, for one host at a time; without it sessions cannot have any. */
  readonly directory?: string;
  /** Remembers setup commands, so that a crash of the server leaves none running. */
  readonly registry?: ProcessRegistry;
}

export interface WorktreesOptions extends WorktreeSettings {
  readonly store: Store;
  readonly projects: Projects;
  readonly trust: TrustedDirectories;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onError: (error: unknown) => void;
}

const MAX_INSPECTING = 2;

/** The git worktrees that were made for sessions: made, described, and removed without losing work. */
export class Worktrees {
  readonly #options: WorktreesOptions;
  readonly #serials = new Map<string, Serial>();
  readonly #inspecting = new Semaphore(MAX_INSPECTING);
  /** Those that this process makes now, with what it does. */
  readonly #steps = new Map<string, WorktreeInfo["step"]>();
  /** Sessions that are about to work in a directory but are not in the store yet. */
  readonly #holds = new DirectoryHolds();
  readonly #making = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();
  #opened: Promise<{ directory: string; records: WorktreeRecords }> | undefined;

  constructor(options: WorktreesOptions) {
    this.#options = options;
  }

  /** Makes one for a session that is being created; `settle` states whether that came to be. */
  async make(wish: WorktreeWish): Promise<Result<MadeWorktree>> {
    if (this.#options.directory === undefined) {
      return worktreeFailed("unavailable", "This server has no place for worktrees.");
    }
    const making = this.#make(wish);
    this.#making.add(making);
    try {
      return await making;
    } finally {
      this.#making.delete(making);
    }
  }

  /** The session is stored. Where that cannot be noted, it is at the next start. */
  async adopt({ worktree }: MadeWorktree): Promise<void> {
    const id = worktreeId(worktree.path);
    await this.#guarded(async () => {
      const { records } = await this.#open();
      const record = await records.get(id);
      if (record) await records.put({ ...record, status: "in_use" });
    });
    this.#steps.delete(id);
  }

  /** The session did not come to be: nothing of its worktree stays. */
  async undo({ worktree }: MadeWorktree): Promise<void> {
    const id = worktreeId(worktree.path);
    await this.#guarded(async () => {
      const { records } = await this.#open();
      const record = await records.get(id);
      if (record) await this.#undo(record);
    });
    this.#steps.delete(id);
  }

  /** Those that a principal's sessions work in, or worked in; for admins all. Newest first. */
  async list(principal: Principal): Promise<WorktreeList> {
    if (this.#options.directory === undefined) return { worktrees: [] };
    const { records } = await this.#open();
    const visible = (await records.all()).filter(({ owner }) => canReach(principal, { owner }));
    const sessions = visible.length > 0 ? await this.#sessions() : [];
    const worktrees = await Promise.all(visible.map((record) => this.#describe(record, sessions)));
    return {
      worktrees: worktrees.toSorted((left, right) => (left.created_at < right.created_at ? 1 : -1)),
    };
  }

  /** The worktree of a session, and what it holds. */
  async describe(worktree: Worktree | undefined): Promise<Result<WorktreeInfo>> {
    const id = worktree && worktreeId(worktree.path);
    const record =
      id !== undefined && this.#options.directory !== undefined
        ? await (await this.#open()).records.get(id)
        : undefined;
    if (!record) return rejected("not_found", "This session has no worktree of its own.");
    return accepted(await this.#describe(record, await this.#sessions()));
  }

  /** Removes one that no session works in, as far as nothing is lost; with `isDiscarding`, wholly. */
  async remove(id: string, isDiscarding: boolean): Promise<Result<WorktreeRemoval>> {
    const record =
      this.#options.directory === undefined
        ? undefined
        : await (await this.#open()).records.get(id);
    if (!record) return rejected("not_found", "There is no such worktree.");
    return accepted(await this.#remove(record, isDiscarding ? "discard" : "remove"));
  }

  /** The session is gone: its worktree is removed as far as the choice and what it holds permit. */
  async release(
    worktree: Worktree,
    choice: WorktreeChoice,
    owner: string,
  ): Promise<WorktreeRemoval> {
    try {
      const { records } = await this.#open();
      const known = await records.get(worktreeId(worktree.path));
      const record: WorktreeRecord = known ?? {
        session_id: "",
        owner,
        worktree,
        status: "in_use",
        has_branch: true,
        created_at: new Date(this.#options.clock.now()).toISOString(),
      };
      return await this.#remove(record, choice);
    } catch (error) {
      // The session is gone in any case; what is left of the worktree is found at the next start.
      this.#options.onError(error);
      return describeRemoval(worktree, {
        isRemoved: false,
        isBranchRemoved: false,
        reasons: ["unknown"],
      });
    }
  }

  /** A session is about to work in a directory; false where that is being removed. Call what it returns when it is stored. */
  hold(directory: string): (() => void) | undefined {
    return this.#holds.hold(directory);
  }

  /** Where a session works that was admitted before, when it still may. */
  async readmit(cwd: string, worktree: Worktree | undefined): Promise<Result<string>> {
    const { store, projects, directory } = this.#options;
    if (!worktree) return projects.readmit(cwd);
    const { path, repository } = worktree;
    const opened = await openDirectory(cwd);
    if (!opened.ok) {
      const { message } = opened.error;
      return store.isShared
        ? rejected("workspace_unavailable", `This host has no worktree of the session: ${message}`)
        : rejected("invalid_request", `The session's worktree is gone: ${message}`);
    }
    // Where hosts share a store, each makes worktrees in a directory of its own.
    const isPlace =
      directory !== undefined && (store.isShared || isInside(path, (await this.#open()).directory));
    const isOurs = isPlace && isInside(cwd, path);
    if (opened.value !== cwd || !isOurs) {
      return rejected("cwd_not_allowed", `${cwd} is not in a worktree of this server any more.`);
    }
    const admitted = await projects.readmit(repository);
    return admitted.ok ? opened : admitted;
  }

  /** The worktree that a directory is in; with a principal, only one that is ready and that they can reach. */
  async around(directory: string, principal?: Principal): Promise<Worktree | undefined> {
    if (this.#options.directory === undefined) return undefined;
    const { records } = await this.#open();
    const found = (await records.all()).find(({ worktree }) => isInside(directory, worktree.path));
    if (!found || !principal) return found?.worktree;
    const isReady = found.status !== "creating" && canReach(principal, { owner: found.owner });
    return isReady ? found.worktree : undefined;
  }

  /** Completes what a dead process left: half-made worktrees, and those whose session is gone. */
  async recover(): Promise<void> {
    if (this.#options.directory === undefined) return;
    const { records } = await this.#open();
    const all = await records.all();
    for (const place of new Set(all.map(({ worktree }) => dirname(worktree.path)))) {
      await this.#guarded(() => sweepAside(place));
    }
    for (const record of all) {
      const id = worktreeId(record.worktree.path);
      if (this.#closing.signal.aborted) return;
      if (record.status === "kept" || this.#steps.has(id)) continue;
      await this.#guarded(() => this.#recover(record));
    }
  }

  /** Ends what is being made, and waits until nothing of it is left. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#making);
  }

  async #make(wish: WorktreeWish): Promise<Result<MadeWorktree>> {
    const { directory, records } = await this.#open();
    const { projects, clock, logger, trust, registry, copy, setup } = this.#options;
    return makeWorktree(wish, {
      directory,
      records,
      admit: (path) => projects.admit(path, wish.principal),
      serial: (repository) => this.#serial(repository),
      onStep: (path, step) => this.#steps.set(worktreeId(path), step),
      undo: async (record) => {
        await this.#undo(record);
        this.#steps.delete(worktreeId(record.worktree.path));
      },
      setup: { ...(copy && { copy }), ...(setup !== undefined && { setup }) },
      trust,
      clock,
      logger,
      signal: this.#closing.signal,
      ...(registry && { registry }),
    });
  }

  async #recover(record: WorktreeRecord): Promise<void> {
    const { records } = await this.#open();
    const session = await this.#options.store.getSession(record.session_id);
    const isStored = session?.worktree?.path === record.worktree.path;
    if (record.status === "creating") {
      return isStored ? records.put({ ...record, status: "in_use" }) : this.#undo(record);
    }
    if (isStored) return;
    const { message } = await this.#remove(record, "remove");
    this.#options.logger.info({ worktree: record.worktree.path }, message);
  }

  async #undo(record: WorktreeRecord): Promise<void> {
    const { records } = await this.#open();
    const { worktree, has_branch: hasBranch } = record;
    await this.#serial(worktree.repository).run(() => undoWorktree(worktree, hasBranch));
    await records.remove(worktreeId(worktree.path));
  }

  #remove(record: WorktreeRecord, choice: WorktreeChoice): Promise<WorktreeRemoval> {
    return this.#serial(record.worktree.repository).run(() => this.#removeNow(record, choice));
  }

  async #removeNow(record: WorktreeRecord, choice: WorktreeChoice): Promise<WorktreeRemoval> {
    const { worktree } = record;
    const { records } = await this.#open();
    return this.#holds.whileRemoving(worktree.path, async () => {
      const isInUse = await this.#isInUse(worktree.path);
      const removal = await removeWorktree(worktree, choice, isInUse);
      if (removal.is_removed) {
        await records.remove(worktreeId(worktree.path));
        await this.#options.trust.remove(worktree.path);
      } else if (!isInUse) {
        await records.put({ ...record, status: "kept" });
      }
      return removal;
    });
  }

  async #isInUse(path: string): Promise<boolean> {
    if (this.#steps.has(worktreeId(path))) return true;
    if (this.#holds.isHeld(path)) return true;
    return (await this.#sessions()).some(({ cwd }) => isInside(cwd, path));
  }

  async #describe(
    record: WorktreeRecord,
    sessions: readonly SessionRecord[],
  ): Promise<WorktreeInfo> {
    const { worktree, created_at } = record;
    const id = worktreeId(worktree.path);
    const step = this.#steps.get(id);
    const users = sessions.filter(({ cwd }) => isInside(cwd, worktree.path));
    const facts = { ...worktree, id, created_at };
    if (step !== undefined) return { ...facts, status: "creating", step, session_ids: [] };
    const { contents } = await this.#inspecting.run(() => inspectWorktree(worktree));
    return {
      ...facts,
      status: users.length > 0 ? "in_use" : "kept",
      session_ids: users.map(({ sessionId }) => sessionId),
      contents,
    };
  }

  #sessions(): Promise<readonly SessionRecord[]> {
    return allSessions(this.#options.store);
  }

  /** Git's own records of a repository's worktrees are changed by one at a time. */
  #serial(repository: string): Serial {
    const known = this.#serials.get(repository) ?? new Serial();
    this.#serials.set(repository, known);
    return known;
  }

  #open(): Promise<{ directory: string; records: WorktreeRecords }> {
    this.#opened ??= this.#openNow().catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  async #openNow(): Promise<{ directory: string; records: WorktreeRecords }> {
    const { directory = "", onError } = this.#options;
    const real = await realPathToBe(directory);
    return { directory: real, records: new WorktreeRecords(real, onError) };
  }

  async #guarded(task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      // One that cannot be settled must not keep the others waiting.
      this.#options.onError(error);
    }
  }
}

/** The real path of a directory, also of one that is made later. */
async function realPathToBe(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (!isMissing) throw error;
    return join(await realPathToBe(dirname(path)), basename(path));
  }
}
