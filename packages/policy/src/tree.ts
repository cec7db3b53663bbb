import { posix } from "node:path";
import type { PathAction, PathTarget } from "./action.ts";
import type { Facts } from "./facts.ts";
import { LimitReached } from "./limit-reached.ts";

interface TreeFacts extends Pick<Facts, "realPath" | "entries"> {
  readonly containment: "kernel" | "none";
}

/**
 * The paths that a program that reads a whole directory would read, and those where it writes through links. Where the kernel holds it, the
 * secrets of the policy are not there; links lead out, and odd names become other words, all the same.
 */
export function* treeTargets(
  { access }: PathAction,
  target: PathTarget,
  facts: TreeFacts,
): Generator<PathTarget> {
  const { isTree = false, followsLinks, isSplit } = target;
  const isWritten = access === "write" && followsLinks === true;
  if (!isWritten && (access === "write" || !isTree)) return;
  if (facts.containment === "kernel" && followsLinks !== true) return;
  const unknown = { path: target.path, isUnknown: true };
  try {
    const directories = [target.path];
    for (let at = directories.pop(); at !== undefined; at = directories.pop()) {
      if (!facts.entries) return yield unknown;
      for (const { name, type } of facts.entries(at) ?? []) {
        const path = posix.join(at, name);
        // As words, such a name would be another path, or an option.
        if (isSplit === true && /^[-~]|[\s"'\\*?[\]]/.test(name)) return yield unknown;
        if (type === "directory") directories.push(path);
        if (type !== "link" && facts.containment === "none" && !isWritten) yield { path };
        if (type === "link" && followsLinks === true) {
          const real = facts.realPath(path);
          yield real === undefined ? { path, isUnresolved: true } : { path: real };
        }
      }
    }
  } catch (error) {
    if (error instanceof LimitReached) throw error;
    yield unknown;
  }
}
