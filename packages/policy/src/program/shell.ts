import { isPlainScript } from "../shell/plain-script.ts";
import { literalText, type ShellWord } from "../shell/shell-word.ts";
import { flowOf, forgotten, startIn } from "../shell/state.ts";
import { type Call, found, type Program } from "./call.ts";

/** `sh`, `bash` and the like: a text after `-c`, a here-document, or something that is not known. */
const shell: Program = (call) => {
  const { args, input } = call;
  const isBash = /^(?:sh|bash|dash)$/.test(call.name);
  let index = 0;
  let isText = false;
  for (; index < args.length; index += 1) {
    const option = literalText(args[index]);
    if (option === undefined || !/^[-+]/.test(option)) break;
    if (option === "--version" || option === "--help") {
      found(call, "inspect", "prints about the shell");
      return undefined;
    }
    if (option === "--norc" || option === "--noprofile") continue;
    if (
      option === "-o" &&
      /^(?:errexit|nounset|pipefail)$/.test(literalText(args[index + 1]) ?? "")
    ) {
      index += 1;
      continue;
    }
    if (!/^-[ceuxl]+$/.test(option) || (option.includes("l") && option !== "-lc")) {
      return refuse(call, `${option} is not judged`);
    }
    if (option.includes("c")) isText = true;
  }
  if (!isBash) return refuse(call, `${call.name} reads text differently from bash`);
  if (isText) return runScriptText(call, args[index]);
  if (args.length > index) return refuse(call, "what is in a shell script is not known");
  if (input.type === "text" && input.text !== undefined) {
    call.walk.runText(input.text, startIn(call.state.cwds));
    return undefined;
  }
  return refuse(call, "what the shell reads is known only when it runs");
};

function refuse(call: Call, reason: string): undefined {
  found(call, "opaque", reason);
  return undefined;
}

function runScriptText(call: Call, word: ShellWord | undefined): undefined {
  const text = literalText(word);
  if (text === undefined) return refuse(call, "the script is known only when it runs");
  if (call.name !== "bash") return runPlainText(call, text);
  // Arguments after the text are $0, $1 …, which are unknown in it; variables of this script are not exported.
  call.walk.runText(text, startIn(call.state.cwds), call.input);
  return undefined;
}

/** Runs a text in a shell other than bash; all but the plainest they may read differently. */
export function runPlainText(call: Call, text: string): undefined {
  if (!isPlainScript(text)) return refuse(call, "not every shell reads this text as bash does");
  call.walk.runText(text, startIn(call.state.cwds), call.input);
  return undefined;
}

/** Text that this very shell runs: a file, a word that it reads again, something for later. */
const laterText: Program = (call) => {
  found(call, "opaque", `the script that ${call.name} runs is not judged`);
  return flowOf(forgotten(call.state));
};

export const shellPrograms: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "csh", "tcsh", "rbash"].map(
    (name): [string, Program] => [name, shell],
  ),
  ...["eval", "trap", "source", "."].map((name): [string, Program] => [name, laterText]),
]);
