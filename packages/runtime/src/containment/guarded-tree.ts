import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Confinement, ConfinementNeed, HiddenPath } from "./confinement.ts";

/** The findings in one directory, and the directories below it. */
interface Listing {
  readonly changedMs: number;
  readonly children: readonly string[];
  readonly secrets: readonly string[];
  readonly fixed: readonly string[];
  readonly repositories: readonly string[];
}

export type GuardedPaths = Pick<Confinement, "hidden" | "fixed" | "anchored" | "absent">;

const maxDirectories = 50_000;
const maxGuarded = 500;
const atOnce = 64;
/** A change right after a listing may leave the same time on the directory. */
const settledMs = 50;

/** The parts of a repository that run or steer commands. */
const gitParts = ["config", "config.worktree", "hooks", "info/attributes", "commondir", "gitdir"];

/** Finds by name what a command must not read or change below a directory. Remembers directories that did not change. */
export class GuardedTree {
  readonly #names: Pick<ConfinementNeed, "isSecret" | "isFixed">;
  readonly #listings = new Map<string, Listing>();

  constructor(names: Pick<ConfinementNeed, "isSecret" | "isFixed">) {
    this.#names = names;
  }

  /** Undefined where there is too much to guard. */
  async find(directories: readonly string[]): Promise<GuardedPaths | undefined> {
    const found: Listing[] = [];
    const seen = new Set(directories);
    for (let open = [...seen]; open.length > 0;) {
      const listings = await Promise.all(open.slice(0, atOnce).map((path) => this.#list(path)));
      found.push(...listings);
      const children = listings.flatMap((listing) => listing.children);
      const fresh = children.filter((child) => !seen.has(child));
      for (const child of fresh) seen.add(child);
      open = [...open.slice(atOnce), ...fresh];
      if (seen.size > maxDirectories) return undefined;
    }
    for (const path of this.#listings.keys()) if (!seen.has(path)) this.#listings.delete(path);
    const secrets = found.flatMap((listing) => listing.secrets);
    const fixed = found.flatMap((listing) => listing.fixed);
    if (secrets.length + fixed.length > maxGuarded) return undefined;
    const guarded = { hidden: await hiddenPaths(secrets), fixed, anchored: [], absent: [] };
    const repositories = found.flatMap((listing) => listing.repositories);
    return (await Promise.all(repositories.map(guardedRepository))).reduce(joined, guarded);
  }

  async #list(path: string): Promise<Listing> {
    const before = await stat(path).catch(ifGone);
    if (!before) return nothing;
    const known = this.#listings.get(path);
    const changedMs = Math.max(before.mtimeMs, before.ctimeMs);
    if (known?.changedMs === changedMs) return known;
    const entries = await readdir(path, { withFileTypes: true }).catch(ifGone);
    const listing = { ...this.#sorted(path, entries ?? []), changedMs };
    if (Date.now() - changedMs > settledMs) this.#listings.set(path, listing);
    return listing;
  }

  #sorted(path: string, entries: readonly Dirent[]): Listing {
    const { isSecret, isFixed } = this.#names;
    const places = entries.map((entry) => ({ entry, place: join(path, entry.name) }));
    const [repositories, plain] = parted(places, ({ entry }) => entry.name === ".git");
    const [secrets, others] = parted(plain, ({ place }) => isSecret(place));
    const [fixed] = parted(others, ({ entry, place }) => !entry.isSymbolicLink() && isFixed(place));
    const [children] = parted(others, ({ entry }) => entry.isDirectory());
    const paths = (kept: typeof places) => kept.map(({ place }) => place);
    return {
      changedMs: 0,
      children: paths(children),
      secrets: paths(secrets),
      fixed: paths(fixed),
      repositories: paths(repositories),
    };
  }
}

/** Those that fit, and the others. */
function parted<Value>(
  values: readonly Value[],
  fits: (value: Value) => boolean,
): readonly [Value[], Value[]] {
  return [values.filter((value) => fits(value)), values.filter((value) => !fits(value))];
}

const nothing: Listing = { changedMs: 0, children: [], secrets: [], fixed: [], repositories: [] };

function joined(left: GuardedPaths, right: GuardedPaths): GuardedPaths {
  return {
    hidden: [...left.hidden, ...right.hidden],
    fixed: [...left.fixed, ...right.fixed],
    anchored: [...left.anchored, ...right.anchored],
    absent: [...left.absent, ...right.absent],
  };
}

/** Those that exist, as a mount takes them: what a link leads to is the secret. */
export async function hiddenPaths(paths: readonly string[]): Promise<HiddenPath[]> {
  const found = await Promise.all(
    paths.map(async (path) => {
      const real = await realpath(path).catch(ifGone);
      const facts = real === undefined ? undefined : await stat(real).catch(ifGone);
      return real === undefined || !facts ? [] : [{ path: real, isDirectory: facts.isDirectory() }];
    }),
  );
  return found.flat();
}

/** The parts of a repository that stay as they are; in a worktree and in a submodule, `.git` is a file that names it. */
export async function guardedRepository(path: string): Promise<GuardedPaths> {
  const facts = await stat(path).catch(ifGone);
  if (!facts?.isDirectory()) {
    return { hidden: [], fixed: facts ? [path] : [], anchored: [], absent: [] };
  }
  const parts = gitParts.map((part) => join(path, part));
  const isThere = await Promise.all(parts.map(exists));
  const hooks = join(path, "hooks");
  return {
    hidden: [],
    fixed: parts.filter((_, index) => isThere[index]),
    anchored: [path],
    absent: (await exists(hooks)) ? [] : [hooks],
  };
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(ifGone)) !== undefined;
}

/** A file that another process has just removed needs no guard, nor does one that commands cannot read either. */
export function ifGone(error: unknown): undefined {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (["ENOENT", "ENOTDIR", "EACCES", "EPERM", "ELOOP", "EINVAL"].includes(code)) return undefined;
  throw error;
}
