import type { Access, PathTarget } from "../action.ts";
import { isInside, targetsOf } from "../location.ts";
import {
  isTakenApart,
  literalText,
  originOf,
  placesOf,
  type ShellWord,
  wordFromText,
} from "./shell-word.ts";
import type { State } from "./state.ts";
import type { Walk } from "./walk.ts";

interface PathUse {
  readonly access: Access;
  readonly subject: string;
  readonly state: State;
  readonly walk: Walk;
  /** The whole directory with all that is in it. */
  readonly isTree?: boolean;
  /** Links in the tree are followed. */
  readonly followsLinks?: boolean;
}

/** Names that are not files: to write to them keeps nothing. */
const harmlessDevice = /^\/dev\/(?:null|zero|full|random|urandom|stdin|stdout|stderr|fd\/\d{1,3})$/;

/** Remembers that nothing is known of the files below a place once the script runs. */
export function fills(call: Pick<PathUse, "state" | "walk">, word: ShellWord): void {
  for (const { path } of targetsOf(word, call.state.cwds, call.walk.facts) ?? []) {
    call.walk.filledPaths.add(path);
  }
}

/** Reports that a command reads or writes the path that a word names. */
export function reportPath(word: ShellWord, use: PathUse): void {
  const { access, subject, state, walk } = use;
  const text = literalText(word);
  if (text !== undefined && harmlessDevice.test(text)) return;
  const origin = originOf(word);
  if (origin === "paths" && access === "read") {
    for (const place of placesOf(word)) reportPlace(place, isTakenApart(word), use);
    if (placesOf(word).length === 0) walk.report({ type: "path", access, subject });
    return;
  }
  const targets = targetsOf(word, state.cwds, walk.facts);
  if (!targets) {
    walk.report({ type: "path", access, subject });
    return;
  }
  for (const target of targets) {
    if (access === "write") {
      for (const { path } of [target, ...(target.found ?? [])]) walk.writtenPaths.add(path);
    }
    const isLinked = [target, ...(target.found ?? [])].some(
      ({ path, isThroughLink }) =>
        isThroughLink && walk.facts.roots.some((root) => isInside(path, root)),
    );
    const isFilled = [...walk.filledPaths].some(
      (place) => isInside(target.path, place) && (target.path !== place || use.isTree === true),
    );
    if (isFilled) walk.report({ type: "path", access, subject });
    if (isLinked && walk.isClosed) walk.reportKind("opaque", subject, "a link leads there");
    const isTree = use.isTree === true;
    const path = isTree || use.followsLinks === true ? treeOf(target, use) : target;
    walk.report({ type: "path", access, path, subject });
  }
}

function treeOf(target: PathTarget, use: Pick<PathUse, "isTree" | "followsLinks">): PathTarget {
  const { isTree = false, followsLinks = false } = use;
  const tree = { ...target, isTree, followsLinks };
  const { found } = target;
  return found ? { ...tree, found: found.map((one) => treeOf(one, use)) } : tree;
}

/** Reads what is printed as paths below a place: any file in it, by way of any link in it. */
function reportPlace(place: string, isSplitText: boolean, { subject, state, walk }: PathUse): void {
  const targets = targetsOf(wordFromText(place), state.cwds, walk.facts);
  for (const target of targets ?? [undefined]) {
    const path = target && { ...target, isTree: true, followsLinks: true, isSplit: isSplitText };
    walk.report({ type: "path", access: "read", ...(path && { path }), subject });
  }
}
