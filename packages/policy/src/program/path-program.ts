import { posix } from "node:path";
import { isInside, targetsOf } from "../location.ts";
import { wordFromText } from "../shell/shell-word.ts";
import { type Flow, flowOf } from "../shell/state.ts";
import { type Call, found } from "./call.ts";
import { isProjectTool } from "./project-tool.ts";
import { programFor } from "./registry.ts";

/** Where a machine keeps its programs. */
const systemDirectory = /^(?:\/usr|\/usr\/local|\/opt\/homebrew)?\/s?bin\/[\w.[+-]+$/;

/** A program by its path: one of the machine's, a tool of the project, or any file. */
export function runPathProgram(call: Call): Flow {
  const { name, walk, state } = call;
  const base = posix.basename(name);
  if (systemDirectory.test(name)) {
    const program = programFor(base);
    if (program) return program({ ...call, name: base }) ?? flowOf(state);
  }
  const isTool = /(?:^|\/)node_modules\/\.bin\/[\w.-]+$/.test(name) && isProjectTool(base);
  const targets = targetsOf(wordFromText(name), state.cwds, walk.facts);
  const isOurs = targets?.every(({ path }) =>
    walk.facts.roots.some((root) => isInside(path, root)),
  );
  const tool = programFor(base);
  if (isTool && isOurs === true && tool) return tool({ ...call, name: base }) ?? flowOf(state);
  if (isOurs === true) found(call, "local_program", `what ${name} does is not known`);
  else found(call, "unknown_program", `${name} is not a program that the evaluator knows`);
  return flowOf(state);
}
