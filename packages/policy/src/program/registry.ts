import { awk } from "./awk.ts";
import { builtinPrograms } from "./builtin.ts";
import type { Program } from "./call.ts";
import { fileChangePrograms } from "./file-change.ts";
import { find } from "./find.ts";
import { forbiddenPrograms } from "./forbidden.ts";
import { git } from "./git/git.ts";
import { interpreterPrograms } from "./interpreter.ts";
import { networkPrograms } from "./network.ts";
import { packageManagerPrograms } from "./package-manager.ts";
import { projectTools } from "./project-tool.ts";
import { readerPrograms } from "./reader.ts";
import { sed } from "./sed.ts";
import { shellPrograms } from "./shell.ts";
import { test } from "./test.ts";
import { wrapperPrograms } from "./wrapper.ts";
import { xargs } from "./xargs.ts";

/** Every program that the evaluator knows; all others are unknown. */
const programs: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...forbiddenPrograms,
  ...projectTools,
  ...packageManagerPrograms,
  ...interpreterPrograms,
  ...networkPrograms,
  ...fileChangePrograms,
  ...readerPrograms,
  ...wrapperPrograms,
  ...shellPrograms,
  ...builtinPrograms,
  ["find", find],
  ["xargs", xargs],
  ["sed", sed],
  ["gsed", sed],
  ["awk", awk],
  ["gawk", awk],
  ["mawk", awk],
  ["git", git],
  ["test", test],
  ["[", test],
]);

export function programFor(name: string): Program | undefined {
  return programs.get(name);
}

export function isKnownProgram(name: string): boolean {
  return programs.has(name);
}
