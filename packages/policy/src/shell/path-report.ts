import type { Access } from "../action.ts";
import { targetsOf } from "../location.ts";
import { literalText, originOf, type ShellWord } from "./shell-word.ts";
import type { State } from "./state.ts";
import type { Walk } from "./walk.ts";

interface PathUse {
  readonly access: Access;
  readonly subject: string;
  readonly state: State;
  readonly walk: Walk;
  /** The whole directory with all that is in it. */
  readonly isTree?: boolean;
}

/** Names that are not files: to write to them keeps nothing. */
const harmlessDevice = /^\/dev\/(?:null|zero|full|random|urandom|stdin|stdout|stderr|fd\/\d{1,3})$/;

/** Reports that a command reads or writes the path that a word names. */
export function reportPath(word: ShellWord, use: PathUse): void {
  const { access, subject, state, walk } = use;
  const text = literalText(word);
  if (text !== undefined && harmlessDevice.test(text)) return;
  const origin = originOf(word);
  if (origin === "paths" && access === "read") {
    walk.report({ type: "kind", kind: "inspect", reason: "reads files inside the roots", subject });
    return;
  }
  const targets = targetsOf(word, state.cwds, walk.facts);
  if (!targets) {
    walk.report({ type: "path", access, subject });
    return;
  }
  for (const target of targets) {
    if (access === "write") walk.writtenPaths.add(target.path);
    const path = use.isTree === true ? { ...target, isTree: true } : target;
    walk.report({ type: "path", access, path, subject });
  }
}
