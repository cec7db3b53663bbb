import { targetsOf } from "../location.ts";
import { knownStart, literalText, type ShellWord } from "../shell/shell-word.ts";
import { type Call, found, type Program, reads } from "./call.ts";
import { checkLooseArguments } from "./loose-argument.ts";
import { isProjectTool } from "./project-tool.ts";

interface Interpreter {
  /** Options without a value that are fine. */
  readonly flags: RegExp;
  /** Options that only print something. */
  readonly prints: RegExp;
  /** Modules after `-m` that are tools of a project. */
  readonly modules?: ReadonlySet<string>;
}

/** Code in a file of the project may run; code in an argument or from elsewhere is not known. */
function interpreter({ flags, prints, modules }: Interpreter): Program {
  return (call) => {
    const { args } = call;
    if (call.walk.isClosed && call.input.type === "pipe") {
      found(call, "opaque", `${call.name} may run what another command prints`);
    }
    let index = 0;
    for (; index < args.length; index += 1) {
      const word = args[index];
      const text = word && literalText(word);
      if (text === undefined || !text.startsWith("-") || text === "-") break;
      if (prints.test(text) && args.length === 1) {
        const isOfProject = isProjectTool(call.name);
        found(call, isOfProject ? "project_code" : "inspect", "prints a version");
        return undefined;
      }
      if (text === "-m" && modules) return runModule(call, index + 1, modules);
      if (!flags.test(text)) {
        found(call, "opaque", `${call.name} ${text} can run anything`);
        return undefined;
      }
    }
    runFile(call, args[index], args.slice(index + 1));
    return undefined;
  };
}

function runModule(call: Call, index: number, modules: ReadonlySet<string>): undefined {
  const name = literalText(call.args[index]) ?? "?";
  const rest = call.args.slice(index + 1);
  found(call, "project_code", `a file ${name} of the project comes before the module`);
  if (/^(?:pip|pip3)$/.test(name)) {
    call.walk.runWords([{ pieces: [{ type: "text", text: "pip" }] }, ...rest], call);
    return undefined;
  }
  if (isProjectTool(name)) {
    call.walk.runWords([{ pieces: [{ type: "text", text: name }] }, ...rest], call);
    return undefined;
  }
  if (modules.has(name)) {
    checkLooseArguments(call, rest);
    found(call, "project_code", `${name} runs code of the project`);
  } else found(call, "opaque", `what the module ${name} does is not known`);
  return undefined;
}

function runFile(call: Call, file: ShellWord | undefined, rest: readonly ShellWord[]): void {
  if (!file) {
    const isTest = call.args.some((word) => literalText(word) === "--test");
    if (isTest) found(call, "project_code", "runs the tests of the project");
    else found(call, "opaque", `what ${call.name} reads is known only when it runs`);
    return;
  }
  if (/^[a-z][a-z0-9+.-]*:/i.test(knownStart(file)) || literalText(file) === "-") {
    found(call, "opaque", `the code that ${call.name} runs is not a file`);
    return;
  }
  runsFile(call, file);
  checkLooseArguments(call, rest);
}

/** Code in a file inside the roots, unless this very script wrote it. */
export function runsFile(call: Call, file: ShellWord): void {
  reads(call, file);
  const targets = targetsOf(file, call.state.cwds, call.walk.facts);
  const isInside = targets?.every(({ path }) =>
    call.walk.facts.roots.some((root) => path === root || path.startsWith(`${root}/`)),
  );
  if (isInside !== true) found(call, "opaque", "the code that it runs is outside the roots");
  const isFresh = targets?.some(({ path }) => call.walk.writtenPaths.has(path));
  if (isFresh === true) found(call, "opaque", "it runs a file that the same command writes");
  found(call, "project_code", "it runs code of the project");
}

const pythonModules = new Set(
  "unittest venv json.tool compileall py_compile build doctest timeit".split(" "),
);

const python = interpreter({
  flags: /^-[uBEsSIvqO]+$/,
  prints: /^(?:--version|-V|-VV|--help|-h)$/,
  modules: pythonModules,
});
const node = interpreter({
  flags:
    /^(?:--test|--test-reporter=[\w]+|--test-name-pattern=.*|--test-only|--watch|--check|-c|--enable-source-maps|--experimental-(?:strip-types|transform-types|vm-modules|test-coverage|test-isolation=none)|--no-warnings|--trace-warnings|--max-old-space-size=\d+|--expose-gc|--conditions=[@\w/-]+|--trace-uncaught|--unhandled-rejections=\w+)$/,
  prints: /^(?:--version|-v|--help|-h)$/,
});
const deno = interpreter({ flags: /^$/, prints: /^(?:--version|-V|--help)$/ });

export const interpreterPrograms: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...["python", "python3", "python3.10", "python3.11", "python3.12", "python3.13", "pypy3"].map(
    (name): [string, Program] => [name, python],
  ),
  ["node", node],
  ["nodejs", node],
  ["tsx", node],
  ["ts-node", node],
  ["deno", deno],
]);
