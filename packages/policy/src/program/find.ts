import {
  hasGlob,
  isSplit,
  knownStart,
  literalText,
  pathsWord,
  type ShellWord,
  unknownWord,
  wordFromText,
} from "../shell/shell-word.ts";
import { flowOf } from "../shell/state.ts";
import { type Call, found, type Program, reads, readsTree, writes } from "./call.ts";

/** Tests and actions of find by how many words follow them. */
const withoutValue = new Set(
  "-a -o -and -or -not ! ( ) , -depth -d -mount -xdev -follow -daystart -noleaf -empty -executable -readable -writable -true -false -nouser -nogroup -print -print0 -ls -prune -quit -warn -nowarn -ignore_readdir_race -help -version".split(
    " ",
  ),
);
const withValue = new Set(
  "-name -iname -path -ipath -wholename -iwholename -lname -ilname -regex -iregex -regextype -type -xtype -size -maxdepth -mindepth -mtime -mmin -atime -amin -ctime -cmin -user -group -uid -gid -perm -links -inum -fstype -used -printf".split(
    " ",
  ),
);
const withFile = /^-(?:newer|anewer|cnewer|samefile|newer[aBcmt][aBcmt])$/;
const runs = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

/** `find`: start directories, then an expression that may run, delete or write. */
export const find: Program = (call) => {
  const { args } = call;
  let index = 0;
  while (/^-(?:[HLP]|O\d|D)$/.test(literalText(args[index]) ?? "")) {
    index += literalText(args[index]) === "-D" ? 2 : 1;
  }
  const starts: ShellWord[] = [];
  for (; index < args.length; index += 1) {
    const word = args[index];
    if (!word || /^[-(!,]/.test(literalText(word) ?? "")) break;
    starts.push(word);
  }
  const places = starts.length > 0 ? starts : [wordFromText(".")];
  for (const place of places) {
    reads(call, place);
    if (mayBeAction(place)) found(call, "opaque", "a start of find may become an action");
  }
  const prints = readExpression(call, index, places);
  found(call, "inspect", "find lists files");
  const texts = places.map(literalText).filter((text) => text !== undefined);
  // Of a start that is not known, nothing is known of what it prints.
  const isKnown = prints && texts.length === places.length;
  return isKnown ? { ...flowOf(call.state), places: texts } : undefined;
};

/** Words that make find run, delete or write. */
const actions =
  "-delete -exec -execdir -ok -okdir -fls -fprint -fprint0 -fprintf -files0-from".split(" ");

/** Whether a word may become several, or the name of a file that reads like an action. */
function mayBeAction(word: ShellWord): boolean {
  if (isSplit(word)) return true;
  if (!hasGlob(word)) return false;
  const start = knownStart(word);
  return actions.some((action) => action.startsWith(start)) && endsLikeAction(word);
}

function endsLikeAction({ pieces }: ShellWord): boolean {
  const last = pieces.at(-1);
  return last?.type !== "text" || actions.some((action) => action.endsWith(last.text));
}

/** Answers whether nothing but paths is printed. */
function readExpression(call: Call, start: number, places: readonly ShellWord[]): boolean {
  const { args } = call;
  let printsPaths = true;
  for (let index = start; index < args.length; index += 1) {
    const word = args[index];
    const name = literalText(word);
    if (name === undefined) {
      found(call, "opaque", "an argument of find is known only when it runs");
    } else if (withoutValue.has(name)) {
      if (name === "-ls") printsPaths = false;
    } else if (withValue.has(name)) {
      index += 1;
      if (name === "-printf") printsPaths = false;
      const value = args[index];
      if (value === undefined) found(call, "opaque", `${name} has no value`);
      else if (mayBeAction(value)) found(call, "opaque", `the value of ${name} may become actions`);
    } else if (withFile.test(name)) {
      index += 1;
      const file = args[index];
      if (file && !name.endsWith("t")) reads(call, file);
      if (file && mayBeAction(file))
        found(call, "opaque", `the value of ${name} may become actions`);
    } else if (runs.has(name)) {
      printsPaths = false;
      index = runInner(
        call,
        index,
        name.endsWith("dir") ? unknownWord() : foundFiles(call, places),
      );
    } else if (name === "-delete") {
      found(call, "discard", "it deletes what it finds");
      const files = matchedFiles(call, places);
      if (files) writes(call, files);
      else for (const place of places) writes(call, place, true);
    } else if (/^-fls$|^-fprint/.test(name)) {
      const file = args[index + 1];
      if (file) writes(call, file);
      index += name === "-fprintf" ? 2 : 1;
    } else found(call, "opaque", `find is given ${name}, which the evaluator does not know`);
  }
  return printsPaths;
}

/** The command between `-exec` and `;` or `+`; answers with the index of its end. */
function runInner(call: Call, start: number, files: ShellWord): number {
  const isElsewhere = literalText(call.args[start])?.endsWith("dir") === true;
  const rest = call.args.slice(start + 1);
  const length = rest.findIndex(
    (word, index) =>
      literalText(word) === ";" ||
      (literalText(word) === "+" && literalText(rest[index - 1]) === "{}"),
  );
  const inner = rest
    .slice(0, length < 0 ? rest.length : length)
    .map((word) => withPath(word, files));
  if (inner.length === 0 || length < 0) found(call, "opaque", "find has no end of its command");
  else {
    if (/^(?:rm|unlink|rmdir|truncate)$/.test(literalText(inner[0]) ?? "")) {
      found(call, "discard", "it deletes what it finds");
    }
    const state = isElsewhere ? { ...call.state, cwds: undefined } : call.state;
    call.walk.runWords(inner, { ...call, state, input: { type: "inherited" } });
  }
  return start + 1 + (length < 0 ? rest.length : length);
}

/** The files that a command is run for; among them may be links, but for `-type f`. */
function foundFiles(call: Call, places: readonly ShellWord[]): ShellWord {
  const texts = places.map(literalText).filter((text) => text !== undefined);
  const matched = matchedFiles(call, places);
  if (!matched) return texts.length === places.length ? pathsWord(texts) : unknownWord();
  const options = call.args.map(literalText);
  const isPlain = options.some((text, index) => text === "-type" && options[index + 1] === "f");
  if (!isPlain) for (const place of places) readsTree(call, place, true);
  return matched;
}

function withPath(word: ShellWord, files: ShellWord): ShellWord {
  const text = literalText(word);
  if (text === undefined || !text.includes("{}")) return word;
  return text === "{}" ? files : unknownWord();
}

/** Names by which people find what can be thrown away or edited: never those of protected files. */
const plainName =
  /^(?:\*[\w-]*\.[a-z0-9]+~?|[\w-]+\.[a-z0-9]+|node_modules|__pycache__|dist|build|coverage|target)$/i;

/** The files that find finds, where one name decides: `find . -name '*.log' -type f`. */
function matchedFiles(call: Call, places: readonly ShellWord[]): ShellWord | undefined {
  const texts = call.args.map((word) => literalText(word) ?? "?");
  const names = texts.flatMap((text, index) => (text === "-name" ? [texts[index + 1] ?? ""] : []));
  const [name, ...more] = names;
  const [place, ...others] = places;
  const isChoice = texts.some((text) => /^(?:-o|-or|,|!|-not|-L|-follow)$/.test(text));
  if (name === undefined || more.length > 0 || !place || others.length > 0 || isChoice)
    return undefined;
  if (!plainName.test(name)) return undefined;
  const [start = "", end = ""] = name.includes("*") ? name.split("*") : [name];
  const star = name.includes("*")
    ? [{ type: "glob" as const, part: "many" as const, canStartWithDot: true }]
    : [];
  return {
    pieces: [
      ...place.pieces,
      { type: "text", text: `/${start}` },
      ...star,
      { type: "text", text: end },
    ],
  };
}
