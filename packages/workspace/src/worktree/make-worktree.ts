import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import type { Clock, Logger } from "@turnwire/base";
import {
  accepted,
  type Result,
  type Worktree,
  type WorktreeInfo,
  type WorktreeRequest,
  type WorktreeSetup,
  type Principal,
} from "@turnwire/protocol";
import { isInside, type ProcessRegistry } from "@turnwire/runtime/process";
import type { Serial } from "@turnwire/log/list";
import type { TrustedDirectories } from "../trust/trusted-directories.ts";
import { realDirectory } from "../project/working-directory.ts";
import { addWorktree, checkOut, isBranchName, reserveBranch } from "./add-worktree.ts";
import { branchNames, directoryName, slug } from "./branch-name.ts";
import { copyFiles } from "./copy-files.ts";
import { worktreeFailed } from "./failure.ts";
import { type Base, findBase, findRepository, type Repository } from "./repository.ts";
import { runSetup } from "./run-setup.ts";
import type { WorktreeRecord, WorktreeRecords } from "./worktree-records.ts";
import { setupFor } from "./worktree-settings.ts";

/** What a session that is being created asks for. */
export interface WorktreeWish {
  readonly sessionId: string;
  readonly principal: Principal;
  readonly request: WorktreeRequest;
  readonly title: string | undefined;
  /** The real path of the directory that was asked for. */
  readonly cwd: string;
}

export interface MadeWorktree {
  readonly worktree: Worktree;
  /** Where the session works: the same place in the worktree. */
  readonly cwd: string;
}

export interface MakingPorts {
  /** Where worktrees are made, a real path. */
  readonly directory: string;
  readonly records: WorktreeRecords;
  /** Whether the session's principal may work in a directory. */
  readonly admit: (path: string) => Promise<Result<string>>;
  readonly serial: (repository: string) => Serial;
  readonly onStep: (path: string, step: WorktreeInfo["step"]) => void;
  /** Takes everything back that was done so far. */
  readonly undo: (record: WorktreeRecord) => Promise<void>;
  readonly setup: WorktreeSetup;
  readonly trust: TrustedDirectories;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly registry?: ProcessRegistry;
  readonly signal: AbortSignal;
}

/** Makes a worktree with all that a session needs in it. When it fails, nothing is left. */
export async function makeWorktree(
  wish: WorktreeWish,
  ports: MakingPorts,
): Promise<Result<MadeWorktree>> {
  const found = await findRepository(wish.cwd);
  if (!found.ok) return found;
  const repository = found.value;
  // Its branches and all its files become reachable, not only the directory that was asked for.
  const admitted = await ports.admit(repository.path);
  if (!admitted.ok) return admitted;
  const base = await findBase(repository, wish.request);
  if (!base.ok) return base;
  const wanted = wish.request === true ? undefined : wish.request.branch;
  if (wanted !== undefined && !(await isBranchName(repository.git, wanted))) {
    return worktreeFailed("branch_invalid", `${wanted} cannot be the name of a branch.`);
  }
  for (const branch of wanted === undefined ? branchNames(wish.title) : [wanted]) {
    const record = recordFor(wish, { repository, base: base.value, branch }, ports);
    const made = await tryBranch(record, repository, wish, ports);
    if (made) return made;
  }
  return wanted === undefined
    ? worktreeFailed("git_failed", "Git could not make a branch for the worktree.")
    : worktreeFailed(
        "branch_exists",
        `There is a branch ${wanted} already, or one that does not go with that name: choose another name. To continue the work of a branch, choose it as the base.`,
      );
}

function recordFor(
  { sessionId, principal }: WorktreeWish,
  { repository, base, branch }: { repository: Repository; base: Base; branch: string },
  { directory, clock }: MakingPorts,
): WorktreeRecord {
  const digest = createHash("sha256").update(repository.commonDirectory).digest("hex");
  const name = slug(basename(repository.path).replace(/\.git$/, "")) || "repository";
  return {
    session_id: sessionId,
    owner: principal.id,
    worktree: {
      branch,
      base: base.name,
      base_commit: base.commit,
      path: join(directory, `${name}-${digest.slice(0, 8)}`, directoryName(branch)),
      repository: repository.path,
    },
    status: "creating",
    has_branch: false,
    created_at: new Date(clock.now()).toISOString(),
  };
}

/** Undefined where the name is taken: nothing was made then. */
async function tryBranch(
  record: WorktreeRecord,
  repository: Repository,
  wish: WorktreeWish,
  ports: MakingPorts,
): Promise<Result<MadeWorktree> | undefined> {
  const { worktree } = record;
  let current = record;
  ports.onStep(worktree.path, "checkout");
  let result: Result<MadeWorktree> | undefined;
  try {
    // Before anything exists, so that a crash leaves nothing that is not known.
    await ports.records.put(current);
    const isReserved = await reserveBranch(repository.git, worktree);
    if (isReserved) {
      current = { ...record, has_branch: true };
      await ports.records.put(current);
      result = await fill(current, repository, wish, ports);
    }
    return result;
  } finally {
    if (!result?.ok) await ports.undo(current);
  }
}

/** Checks out, copies and sets up. */
async function fill(
  record: WorktreeRecord,
  repository: Repository,
  wish: WorktreeWish,
  ports: MakingPorts,
): Promise<Result<MadeWorktree>> {
  const { worktree } = record;
  const { signal } = ports;
  const added = await ports
    .serial(worktree.repository)
    .run(() => addWorktree(repository.git, worktree));
  if (!added.ok) return added;
  const checkedOut = await checkOut(worktree, signal);
  if (!checkedOut.ok) return checkedOut;
  const cwd = await realDirectory(join(worktree.path, repository.subdirectory));
  if (cwd === undefined || !isInside(cwd, worktree.path)) {
    return worktreeFailed(
      "directory_missing",
      `There is no directory ${repository.subdirectory} in ${worktree.base}: choose another base, or a directory that is committed.`,
    );
  }
  const prepared = await prepare(worktree, ports);
  if (!prepared.ok) return prepared;
  if (signal.aborted) return worktreeFailed("git_failed", "The server stops.");
  const isSkipped = prepared.value;
  const made = isSkipped ? { ...worktree, is_setup_skipped: true } : worktree;
  if (isSkipped) {
    await ports.records.put({ ...record, worktree: made });
    ports.logger.warn({ session: wish.sessionId }, "worktree not set up: not trusted");
  }
  return accepted({ worktree: made, cwd });
}

/** Whether what is configured was left out, because it is not trusted. */
async function prepare(worktree: Worktree, ports: MakingPorts): Promise<Result<boolean>> {
  const places = { repository: worktree.repository, worktree: worktree.path };
  const { copy = [], setup, isSkipped } = await setupFor(places, ports.setup, ports.trust);
  ports.onStep(worktree.path, "copy");
  const copied = await copyFiles(copy, { from: worktree.repository, to: worktree.path });
  if (!copied.ok) return copied;
  if (setup !== undefined) {
    ports.onStep(worktree.path, "setup");
    const done = await runSetup(setup, worktree, ports);
    if (!done.ok) return done;
  }
  return accepted(isSkipped);
}
