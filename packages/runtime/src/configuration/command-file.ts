import { isAbsolute, posix, relative } from "node:path";
import { isInside } from "../process/path-inside.ts";

/** The files of a project that a shell command may run, as far as its words name them. */
export interface CommandFiles {
  /** Relative to the project. Which of them exist decides what is covered. */
  readonly files: readonly string[];
  /** Folders of which all files count. */
  readonly folders: readonly string[];
  /** Sentences about what the command runs, and no digest covers. */
  readonly unknown: readonly string[];
}

const MAX_WORDS = 100;

/** Names that agents and shells give the project's directory. */
const projectDirectory =
  /\$(?:\{(?:CLAUDE_PROJECT_DIR|PWD)(?::?-[^}]*)?\}|(?:CLAUDE_PROJECT_DIR|PWD)\b|\(pwd\))|`pwd`/g;
const assignment = /(?:^|[\s;&|(])([A-Za-z_]\w*)=("[^"]*"|'[^']*'|[^\s;&|()]*)/g;
const operator = /[\s;&|<>()]/;
const glob = /[*?[\]{}]/;
/** Directories outside the project that only the person sets. */
const ownPlaces = /^(?:~|\$\{?HOME\b)/;
const directoryOptions: ReadonlySet<string> = new Set(["cd", "pushd", "-C", "--prefix", "--cwd"]);

/** The file that says what a task runner does. */
const taskFiles: Readonly<Record<string, readonly string[]>> = {
  make: ["GNUmakefile", "makefile", "Makefile"],
  gmake: ["GNUmakefile", "makefile", "Makefile"],
  just: ["justfile", ".justfile", "Justfile"],
  npm: ["package.json"],
  pnpm: ["package.json"],
  yarn: ["package.json"],
  bun: ["package.json"],
};

/** Endings that interpreters add to a name that has no such file. */
const endings = ["", ".js", ".mjs", ".cjs", ".ts", ".py", "/index.js", "/index.cjs", "/index.mjs"];

export function commandFiles(command: string, project: string): CommandFiles {
  const text = withVariables(command.replaceAll(projectDirectory, "."));
  const words = [...new Set([...shellWords(text), ...text.split(/[\s"'`;|&<>(),=:]+/)])]
    .filter((word) => word !== "")
    .slice(0, MAX_WORDS);
  const bases = [".", ...directoriesIn(shellWords(text))];
  const files = new Set<string>();
  const folders = new Set<string>();
  const unknown = new Set<string>();
  const inEachBase = (path: string): string[] => bases.map((base) => posix.join(base, path));
  for (const [index, whole] of words.entries()) {
    const word = isAbsolute(whole) && isInside(whole, project) ? relative(project, whole) : whole;
    if (words[index - 1] === "-m") {
      const parts = word.split(".");
      for (const path of inEachBase(parts.join("/"))) files.add(`${path}.py`);
      for (const path of inEachBase(parts[0] ?? word)) folders.add(path);
      continue;
    }
    const tasks = taskFiles[posix.basename(word)];
    if (tasks) {
      for (const name of tasks) for (const path of inEachBase(name)) files.add(path);
      unknown.add(`The files that ${posix.basename(word)} runs in turn.`);
    }
    if (word.startsWith("-") || isAbsolute(word) || ownPlaces.test(word)) continue;
    if (/[$`]/.test(word)) {
      if (word.includes("/")) unknown.add(`${word}: what it names is known only when it runs.`);
    } else if (glob.test(word)) {
      const before = word.split("/").slice(0, -1);
      const first = before.findIndex((name) => glob.test(name));
      const known = first === -1 ? before : before.slice(0, first);
      for (const path of inEachBase(known.join("/") || ".")) folders.add(path);
    } else if (word !== "." && word !== "..") {
      for (const ending of endings) for (const path of inEachBase(word + ending)) files.add(path);
    }
  }
  return { files: [...files], folders: [...folders], unknown: [...unknown] };
}

/** The command with what it assigns itself in place of the variables. */
function withVariables(command: string): string {
  let text = command;
  for (const [, name = "", value = ""] of command.matchAll(assignment)) {
    const plain = value.replace(/^["']|["']$/g, "");
    text = text.replaceAll(new RegExp(`\\$(?:\\{${name}\\}|${name}\\b)`, "g"), () => plain);
  }
  return text;
}

/** Words as a shell sees them, without their quotes. */
function shellWords(text: string): string[] {
  const words: string[] = [""];
  let quote: string | undefined;
  for (let index = 0; index < text.length; index++) {
    const sign = text[index] ?? "";
    const end = words.length - 1;
    if (quote === undefined && operator.test(sign)) words.push("");
    else if (sign === quote) quote = undefined;
    else if (quote === undefined && (sign === '"' || sign === "'")) quote = sign;
    else if (sign === "\\" && quote !== "'") words[end] += text[++index] ?? "";
    else words[end] += sign;
  }
  return words.filter((word) => word !== "");
}

/** The directories that the command goes to, one within the other. */
function directoriesIn(words: readonly string[]): string[] {
  const found: string[] = [];
  for (const [index, word] of words.entries()) {
    const target = words[index + 1];
    if (!directoryOptions.has(word) || target === undefined || isAbsolute(target)) continue;
    found.push(target, ...found.map((base) => posix.join(base, target)));
  }
  return [...new Set(found)].slice(0, 20);
}
