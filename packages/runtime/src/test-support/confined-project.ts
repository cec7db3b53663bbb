import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { defaultPolicy, parsePolicy, type Policy } from "@turnwire/policy";
import { containmentStatus } from "../containment/probe.ts";

export const noContainment = containmentStatus().problem;
/** For the name of a test that needs it. */
export const skipText = noContainment === undefined ? "" : ` (skipped: ${noContainment})`;

const builtIn = defaultPolicy().modes;

/**
 * The built-in modes with turns enough for many commands, and modes that believe every command harmless: what holds
 * those is the kernel alone.
 */
export const patientPolicy: Policy = parsePolicy({
  version: 1,
  modes: Object.fromEntries(
    ["planner", "implementation"].flatMap((mode) => {
      const kinds = Object.keys(builtIn.get(mode)?.actions ?? {});
      const actions = Object.fromEntries(kinds.map((kind) => [kind, "allow"]));
      const patient = { extends: mode, max_turns: 10_000 };
      return [
        [mode, patient],
        [`believing-${mode}`, { ...patient, actions }],
      ];
    }),
  ),
});

/** A repository with secrets in it, beside it and in the home directory, and traps that would change something. */
export class ConfinedProject {
  readonly #cwd: string;
  readonly #home: string;
  readonly #outside: string;

  private constructor(cwd: string, home: string) {
    this.#cwd = cwd;
    this.#home = home;
    this.#outside = join(dirname(cwd), "outside");
  }

  static make(cwd: string, home: string): ConfinedProject {
    const project = new ConfinedProject(cwd, home);
    project.#fill(cwd, home);
    return project;
  }

  #fill(cwd: string, home: string): void {
    this.#write(home, ".ssh/id_ed25519", "CANARY-ssh\n");
    this.#write(home, ".bashrc", "");
    this.#write(home, "notes.txt", "CANARY-home\n");
    this.#write(this.#outside, "secret.txt", "CANARY-outside\n");
    this.#write(cwd, ".gitignore", ".env\n");
    this.#write(cwd, "a.txt", "h]\n");
    execFileSync("git", ["init", "-q"], { cwd });
    const commit = ["-c", "user.name=n", "-c", "user.email=n@invalid", "commit", "-qm", "first"];
    execFileSync("git", ["add", "."], { cwd });
    execFileSync("git", commit, { cwd });
    this.#write(cwd, ".env", "KEY=CANARY-env\n");
    this.#write(cwd, "deep/in/.env.local", "KEY=CANARY-deep\n");
    this.#write(cwd, "node_modules/.bin/tsc", "#!/bin/sh\ntouch PWNED\n");
    chmodSync(join(cwd, "node_modules/.bin/tsc"), 0o755);
    symlinkSync(join(this.#outside, "secret.txt"), join(cwd, "notes.md"));
    symlinkSync(this.#outside, join(cwd, "linkd"));
    this.#write(cwd, `x ${this.#outside}/secret.txt`, "");
  }

  #write(directory: string, path: string, text: string): void {
    const place = join(directory, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
  }

  /** Everything that must not change: outside of the project, and its own parts that steer git. */
  outsideAndGit(): Record<string, string> {
    return {
      ...contents(this.#outside),
      ...contents(join(this.#home, ".ssh")),
      ...contents(join(this.#cwd, ".git/hooks")),
      config: readFileSync(join(this.#cwd, ".git/config"), "utf8"),
      bashrc: readFileSync(join(this.#home, ".bashrc"), "utf8"),
    };
  }

  /** The same with the project itself. */
  everything(): Record<string, string> {
    return { ...this.outsideAndGit(), ...contents(this.#cwd) };
  }
}

function contents(directory: string): Record<string, string> {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" });
  return Object.fromEntries(
    names.map((name) => {
      const path = join(directory, name);
      const facts = lstatSync(path);
      if (facts.isSymbolicLink()) return [path, `link ${readlinkSync(path)}`];
      return [path, facts.isFile() ? readFileSync(path, "utf8") : "directory"];
    }),
  );
}

/** Commands that once did what a mode forbids although it allowed them: they execute something. */
const executingCommands: readonly string[] = [
  "sed 's/[]h/x/;s,]/touch PWNED/e;#,,' a.txt",
  "x='$(touch PWNED)'; echo \"$\\\n{x@P}\"",
  "timeout 1 watch -n 1 \"echo \\$'\\\\'; touch PWNED #'\"",
  "./node_modules/.bin/tsc --version",
];

/** They read what should be asked about. */
const readingCommands: readonly string[] = [
  "cat n*.md",
  "cat linkd*/secret.txt",
  "find . -type l | xargs cat",
  "cat $(ls)",
  'for f in *; do cat "$f"; done',
  "grep -r KEY .",
  "find . -name .env -exec cat {} +",
  "git grep --no-index KEY",
  "ls -A | xargs cat",
  "find . -maxdepth 1 -name 'x*' | xargs head",
];

/** They write through links that lead out. */
const writingCommands: readonly string[] = [
  "cp a.txt linkd*/",
  "rm l*/secret.txt",
  "rm -rf linkd*/",
  "echo x >> n*.md",
  "echo x | tee n*.md",
  "truncate -s 0 n*.md",
  "for d in l*; do touch $d/q; done",
  "find linkd*/ -name secret.txt -delete",
];

/** All of them in few commands, for tests that cannot take long. */
export function briefCommands(home: string): readonly string[] {
  const kinds = [executingCommands, readingCommands, writingCommands, programs(home)];
  return kinds.map((commands) => commands.join("; "));
}

export function allCommands(home: string): readonly string[] {
  return [...executingCommands, ...readingCommands, ...writingCommands, ...programs(home)];
}

/** Deeds of programs, which no reader of commands could see. */
function programs(home: string): readonly string[] {
  const python = (script: string): string => `python3 -c '${script}'`;
  const write = (path: string): string => python(`open("${path}", "w").write("x")`);
  return [
    write("PWNED"),
    write(".git/config"),
    write(".git/hooks/pre-commit"),
    write("linkd/PWNED"),
    write(`${home}/.bashrc`),
    python('import os; os.rename(".git", "moved"); os.mkdir(".git")'),
    python('print(open(".env").read())'),
    python('print(open("deep/in/.env.local").read())'),
    python('print(open("notes.md").read())'),
    python(`print(open("${home}/.ssh/id_ed25519").read())`),
    python(`print(open("${home}/notes.txt").read())`),
    python('import os; print(dict(os.environ)); print(open("/proc/1/environ").read())'),
  ];
}
