import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isInside } from "../process/path-inside.ts";
import { ifGone } from "./guarded-tree.ts";

/** The parts of a git repository that are outside of a root. */
export interface OutsideRepository {
  /** The top of the working tree, where the root is a part of it: git calls what it does not see deleted. */
  readonly tree: string | undefined;
  /** The directory with its objects and references. */
  readonly git: string | undefined;
}

const none: OutsideRepository = { tree: undefined, git: undefined };

/** Finds the repository that a root is in. One that would include the home directory does not count. */
export async function outsideRepository(root: string, home: string): Promise<OutsideRepository> {
  for (let tree = root; !isInside(home, tree) && tree !== "/"; tree = dirname(tree)) {
    const place = join(tree, ".git");
    const facts = await stat(place).catch(ifGone);
    if (!facts) continue;
    const outerTree = tree === root ? undefined : tree;
    if (facts.isDirectory()) return { tree: outerTree, git: outerTree && place };
    return { tree: outerTree, git: await sharedDirectory(place) };
  }
  return none;
}

/** The repository of a worktree, if it knows that worktree too: an agent may have written the `.git` that names it. */
async function sharedDirectory(place: string): Promise<string | undefined> {
  const named = /^gitdir: (.+)$/m.exec((await readText(place)) ?? "")?.[1];
  if (named === undefined) return undefined;
  const own = await realpath(resolve(dirname(place), named)).catch(ifGone);
  if (own === undefined) return undefined;
  const back = (await readText(join(own, "gitdir")))?.trim();
  if (back === undefined || (await realpath(back).catch(ifGone)) !== (await realpath(place))) {
    return undefined;
  }
  const shared = (await readText(join(own, "commondir")))?.trim() ?? ".";
  return realpath(resolve(own, shared)).catch(ifGone);
}

async function readText(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(ifGone);
}
