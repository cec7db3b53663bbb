import { realpath } from "node:fs/promises";
import { basename, delimiter, dirname, join } from "node:path";
import { isInside } from "../process/path-inside.ts";
import type { Confinement, ConfinementNeed } from "./confinement.ts";
import {
  guardedRepository,
  type GuardedPaths,
  GuardedTree,
  hiddenPaths,
  ifGone,
} from "./guarded-tree.ts";
import { outsideRepository } from "./repository.ts";

export interface ConfinerOptions {
  /** The environment of the commands. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Hidden whatever the policy says: where agents and the server keep their credentials. */
  readonly privatePaths: readonly string[];
}

/** Turns what a policy mode needs into what the kernel is asked for, by what is on the disk at that moment. */
export class Confiner {
  readonly #options: ConfinerOptions;
  #tree: { readonly key: string; readonly guarded: GuardedTree } | undefined;

  constructor(options: ConfinerOptions) {
    this.#options = options;
  }

  /** Undefined where that cannot be held, such as in a directory with too many files. */
  async confine(need: ConfinementNeed): Promise<Omit<Confinement, "network"> | undefined> {
    const { env, privatePaths } = this.#options;
    const { writes, reads } = need;
    const home = (await real(this.#options.home)) ?? this.#options.home;
    const roots = (await Promise.all(need.roots.map(real))).filter(isKnown);
    if (roots.length !== need.roots.length) return undefined;
    const outside = await Promise.all(roots.map((root) => outsideRepository(root, home)));
    const trees = outside.map(({ tree }) => tree).filter(isKnown);
    const repositories = outside.map(({ git }) => git).filter(isKnown);
    const guarded = await this.#treeFor(need).find([...roots, ...trees]);
    if (!guarded) return undefined;
    const ownGit = await Promise.all(repositories.map(guardedRepository));
    const secrets = await hiddenPaths([...privatePaths, ...need.secretPaths]);
    return {
      writes,
      reads,
      roots,
      repositories,
      readable: [...(await programDirectories(env, home, roots)), ...trees],
      emptied: [home],
      hidden: [...secrets, ...guarded.hidden],
      ...kept(guarded, ownGit),
    };
  }

  #treeFor(need: ConfinementNeed): GuardedTree {
    if (this.#tree?.key !== need.key) {
      this.#tree = { key: need.key, guarded: new GuardedTree(need) };
    }
    return this.#tree.guarded;
  }
}

function kept(
  guarded: GuardedPaths,
  ownGit: readonly GuardedPaths[],
): Pick<Confinement, "fixed" | "anchored" | "absent"> {
  return {
    fixed: [...guarded.fixed, ...ownGit.flatMap(({ fixed }) => fixed)],
    anchored: guarded.anchored,
    absent: [...guarded.absent, ...ownGit.flatMap(({ absent }) => absent)],
  };
}

/** Where programs are that are not part of the system, with what they load, and git's own settings. */
async function programDirectories(
  env: ConfinerOptions["env"],
  home: string,
  roots: readonly string[],
): Promise<string[]> {
  const named = (env["PATH"] ?? "").split(delimiter).filter((path) => path.startsWith("/"));
  const directories = named.flatMap((path) => withLibraries(path, home, roots));
  const settings = [join(home, ".gitconfig"), join(home, ".config/git")];
  const found = await Promise.all([...directories, ...settings].map(real));
  return [...new Set(found.filter(isKnown))].filter(
    (path) => path !== "/" && !isInside(home, path) && !systemPrograms.test(path),
  );
}

const systemPrograms = /^\/(?:usr|bin|sbin|opt|nix|snap)(?:\/|$)/;

/** A `bin` has its libraries beside it; what else is beside it may be a person's own. */
function withLibraries(path: string, home: string, roots: readonly string[]): string[] {
  const prefix = dirname(path);
  if (basename(path) !== "bin") return [path];
  const isPersonal =
    dirname(prefix) === home || [home, ...roots].some((one) => isInside(one, prefix));
  return isPersonal ? [path, join(prefix, "lib"), join(prefix, "libexec")] : [prefix];
}

async function real(path: string): Promise<string | undefined> {
  return realpath(path).catch(ifGone);
}

function isKnown<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}
