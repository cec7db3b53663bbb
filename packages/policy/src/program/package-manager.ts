import { knownStart, literalText, type ShellWord } from "../shell/shell-word.ts";
import { type Call, found, type Program } from "./call.ts";
import { checkLooseArguments } from "./loose-argument.ts";
import { optionTable, parseCall, reportOptions } from "./option.ts";
import { isProjectTool } from "./project-tool.ts";
import { hasOption } from "./reader.ts";

/** Options of npm, pnpm and yarn that neither choose a shell, a place nor a source. */
const npmOptions = optionTable(
  "s d w: D E O P y silent quiet verbose workspace: workspaces include-workspace-root if-present save-dev save-exact save-optional save-peer save-prod no-save no-audit no-fund audit:attached fund:attached prefer-offline offline ignore-scripts omit: include: legacy-peer-deps json depth: long all production frozen-lockfile no-frozen-lockfile immutable dev filter: F: r recursive parallel stream loglevel: color:attached no-color package-lock-only dry-run latest no-bin-links strict-peer-deps foreground-scripts p parseable",
);

const inspecting = /^(?:ls|list|ll|la|why|explain|root|bin|help|licenses|version)$/;
const running =
  /^(?:run|run-script|test|t|tst|start|stop|restart|build|lint|typecheck|check|format|dev|rum|urn)$/;
const installing =
  /^(?:install|i|in|ci|clean-install|add|uninstall|remove|rm|un|up|update|upgrade|outdated|dedupe|prune|install-test|it|rebuild|audit)$/;
/** A package by its name and version, from the registry. */
const packageName = /^(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*(?:@[\w.^~<>=*|-]+)?$/i;

const npm: Program = (call) => {
  if (call.name !== "npm") {
    found(call, "project_code", `${call.name} loads what .yarnrc or .pnpmfile.cjs names`);
  }
  const separator = call.args.findIndex((word) => literalText(word) === "--");
  const own = separator < 0 ? call.args : call.args.slice(0, separator);
  const passed = separator < 0 ? [] : call.args.slice(separator + 1);
  const parsed = parseCall(own, npmOptions);
  const [first, ...rest] = parsed.operands;
  const name = literalText(first);
  if (!first && call.args.some((word) => /^(?:-v|--version)$/.test(literalText(word) ?? ""))) {
    found(call, "inspect", "prints a version");
    return undefined;
  }
  if (name === "exec" || name === "x" || name === "dlx")
    return runPackage({
      ...call,
      args: call.args.slice(call.args.indexOf(first as ShellWord) + 1),
    });
  if (name !== undefined && running.test(name)) {
    if (literalText(rest[0]) === "env") found(call, "secret", "it prints the environment");
    runsFresh(call, /\/package\.json$/);
    // Options after the script's name are the script's own with yarn and pnpm.
    const problem =
      call.name === "npm"
        ? parsed
        : parseCall(own.slice(0, own.indexOf(first as ShellWord)), npmOptions);
    reportOptions(call, problem, npmOptions);
    checkLooseArguments(call, [...rest, ...passed]);
    found(call, "project_code", "runs a script of the project");
    return undefined;
  }
  reportOptions(call, parsed, npmOptions);
  if (name !== undefined && inspecting.test(name) && (name !== "version" || rest.length === 0)) {
    // It looks for its own updates, at the registry and with the variables that the project's .npmrc names.
    found(call, "project_code", "asks the registry of the project");
  } else if (name !== undefined && installing.test(name)) installs(call, rest);
  else if (name === undefined && call.name === "yarn" && !first) installs(call, []);
  else found(call, "opaque", `${call.name} ${name ?? "…"} is not judged`);
  return undefined;
};

/** The files that the same command has just written decide what would run. */
function runsFresh(call: Call, decisive: RegExp): void {
  const fresh = [...call.walk.writtenPaths].find((path) => decisive.test(path));
  if (fresh !== undefined)
    found(call, "opaque", `the same command writes ${fresh}, which decides what runs`);
}

function installs(call: Call, packages: readonly ShellWord[]): void {
  found(call, "install", "downloads packages, whose scripts run");
  if (!packages.every((word) => packageName.test(literalText(word) ?? ""))) {
    found(call, "opaque", "a package does not come from the registry");
  }
}

const npxOptions = optionTable("y no no-install yes q quiet silent w: workspace:");

/** `npx tsc`: a tool of the project; anything else may be downloaded from anyone. */
const runPackage: Program = (call) => {
  const parsed = parseCall(call.args, npxOptions, { stopsAtOperand: true });
  reportOptions(call, parsed, npxOptions);
  const words =
    literalText(parsed.operands[0]) === "--" ? parsed.operands.slice(1) : parsed.operands;
  const [first, ...rest] = words;
  const name = literalText(first);
  if (name === undefined) {
    found(call, "opaque", "the package is known only when it runs");
    return undefined;
  }
  const isLocal = hasOption(parsed, "no", "no-install");
  if (isProjectTool(name)) call.walk.runWords(words, call);
  else if (isLocal && packageName.test(name) && !name.includes("@")) {
    checkLooseArguments(call, rest);
    found(call, "project_code", `${name} runs code of the project`);
  } else found(call, "opaque", `${name} may be downloaded and run, whoever published it`);
  return undefined;
};

const pipOptions = optionTable(
  "r:read e:read c:read q v U requirement:read editable:read constraint:read upgrade quiet verbose no-deps no-cache-dir format: outdated disable-pip-version-check",
);

const pip: Program = (call) => {
  const parsed = parseCall(call.args, pipOptions);
  const [first, ...rest] = parsed.operands;
  const name = literalText(first);
  if (call.args.length === 1 && /^(?:--version|-V)$/.test(literalText(call.args[0]) ?? "")) {
    found(call, "inspect", "prints a version");
    return undefined;
  }
  reportOptions(call, parsed, pipOptions);
  if (
    !parsed.options.every(
      ({ value }) => !value || /^[\w./-]+(?:\[[\w,-]+\])?$/.test(literalText(value) ?? ""),
    )
  ) {
    found(call, "opaque", "what is installed may come from anywhere");
  }
  if (hasOption(parsed, "outdated")) found(call, "install", "asks the registry");
  if (name === "list" || name === "show" || name === "freeze" || name === "check") {
    found(call, "inspect", "lists packages");
  } else if (name === "install" || name === "uninstall") {
    const isPlain = rest.every((word) =>
      /^(?:[A-Za-z0-9][\w.-]*(?:\[[\w,-]+\])?(?:[=<>!~]=?=?[\w.*]+)?|\.(?:\[[\w,-]+\])?)$/.test(
        literalText(word) ?? "",
      ),
    );
    found(call, "install", "downloads packages, whose scripts run");
    if (!isPlain) found(call, "opaque", "a package does not come from the registry");
  } else found(call, "opaque", `${call.name} ${name ?? "…"} is not judged`);
  return undefined;
};

/** Builds by subcommand: `cargo test`, `go build`. */
function builder(subcommands: RegExp, refused: RegExp): Program {
  return (call) => {
    const [first, ...rest] = call.args;
    const name = literalText(first) ?? "?";
    if (/^(?:--version|-V|version|help)$/.test(name) && rest.length === 0) {
      found(call, "project_code", "the project names the toolchain whose version is printed");
      return undefined;
    }
    const dangerous = call.args.map(knownStart).find((text) => refused.test(text));
    if (!subcommands.test(name) || dangerous !== undefined) {
      found(call, "opaque", `${call.name} ${dangerous ?? name} is not judged`);
      return undefined;
    }
    if (
      call.args.some((word) => literalText(word) === undefined && !/^\.?\w/.test(knownStart(word)))
    ) {
      found(call, "opaque", "an argument is known only when it runs");
    }
    runsFresh(call, /\/(?:Cargo\.toml|build\.rs|[^/]*\.go|go\.mod)$/);
    checkLooseArguments(call, rest);
    const fetches = /^(?:get|mod|add|update|fetch|install|vendor)$/.test(name);
    found(call, fetches ? "install" : "project_code", "builds or runs code of the project");
    return undefined;
  };
}

const cargo = builder(
  /^(?:build|b|check|c|test|t|run|r|clippy|fmt|doc|d|bench|clean|tree|metadata|add|update|fetch|nextest)$/,
  /^(?:--config|\+|-Z|-C|--manifest-path=?\/|--target-dir=?\/|--out-dir|--git|--registry|--index|--open)/,
);
const go = builder(
  /^(?:build|test|run|vet|fmt|mod|get|list|generate|doc|clean)$/,
  /^--?(?:exec|toolexec|vettool|overlay|modfile|ldflags|gcflags|asmflags|gccgoflags|C|o=?\/|pkgdir|gencmd)\b|^(?:https?:|[a-z0-9.-]+\.[a-z]{2,}\/.*@)/,
);

/** `make test`: the makefile is code of the project; variables and other makefiles can make it anything. */
const make: Program = (call) => {
  const table = optionTable(
    "j:attached k s n B i q w S d t l:attached C:read f:read keep-going silent quiet always-make dry-run just-print jobs:attached directory:read file:read makefile:read no-print-directory version output-sync:attached",
  );
  const parsed = parseCall(call.args, table);
  reportOptions(call, parsed, table);
  if (call.args.length === 1 && hasOption(parsed, "version")) {
    found(call, "inspect", "prints a version");
    return undefined;
  }
  const readsInput = parsed.options.some(({ value }) => literalText(value) === "-");
  if (readsInput) found(call, "opaque", "the makefile is known only when it runs");
  for (const operand of parsed.operands) {
    const text = literalText(operand);
    const [, name, value] = /^([^=]*)=(.*)$/s.exec(text ?? "") ?? [];
    const isPlain =
      text !== undefined &&
      (name === undefined
        ? /^[\w./%@+:-]+$/.test(text)
        : /^[A-Za-z_]\w*$/.test(name) &&
          /^[\w.,/@+:-]*$/.test(value ?? "") &&
          !/^(?:SHELL|\.SHELLFLAGS|MAKE.*|CC|CXX|AR|LD|RM|PATH|.*FLAGS|.*CMD|.*COMMAND)$/.test(
            name,
          ));
    if (!isPlain) found(call, "opaque", "a target or variable of make can run commands");
  }
  runsFresh(call, /\/(?:GNUmakefile|[Mm]akefile|[^/]*\.mk)$/);
  checkLooseArguments(call, parsed.operands);
  found(call, "project_code", "make runs the project's makefile");
  return undefined;
};

export const packageManagerPrograms: ReadonlyMap<string, Program> = new Map<string, Program>([
  ["npm", npm],
  ["pnpm", npm],
  ["yarn", npm],
  ["npx", runPackage],
  ["pip", pip],
  ["pip3", pip],
  ["cargo", cargo],
  ["go", go],
  ["make", make],
  ["gmake", make],
]);
