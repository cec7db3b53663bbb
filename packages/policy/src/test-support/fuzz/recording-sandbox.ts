import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { type HostileProject, secretFiles } from "./hostile-project.ts";

/** Something that a process did or tried. */
export interface Effect {
  readonly type: "exec" | "read" | "write" | "connect";
  /** Relative where the call gave no directory. */
  readonly path: string;
  /** The program that did it; undefined for the first bash. */
  readonly program?: string | undefined;
}

export interface Recording {
  readonly effects: readonly Effect[];
  readonly output: string;
}

interface RunOptions {
  /** Secrets are not there, as where the kernel holds a mode. */
  readonly hidesSecrets: boolean;
}

const program = (name: string): string => join("/usr/bin", name);
const walls =
  "--ro-bind / / --tmpfs /run --dev /dev --proc /proc --unshare-pid --unshare-net --unshare-ipc --die-with-parent --new-session".split(
    " ",
  );

/** Whether this machine has bubblewrap and strace, and lets them work. */
export function hasSandbox(): boolean {
  const args = [...walls, program("strace"), "-o", "/dev/null", "/bin/true"];
  return spawnSync(program("bwrap"), args).status === 0;
}

const calls =
  "execve ?execveat ?open openat ?creat ?unlink unlinkat ?rename renameat ?renameat2 ?mkdir mkdirat ?rmdir ?link linkat ?symlink symlinkat truncate ?chmod fchmodat ?chown fchownat utimensat ?mknod mknodat connect"
    .split(" ")
    .join(",");
const longestMs = 3_000;

/** Runs a script in a real bash, where it can do harm to nothing but the project's own directory, and records what it does. */
export async function runRecorded(
  script: string,
  { base, app }: HostileProject,
  { hidesSecrets }: RunOptions,
): Promise<Recording> {
  const log = join(base, "log");
  await rm(log, { recursive: true, force: true });
  await mkdir(log);
  const masks = hidesSecrets
    ? secretFiles.flatMap((name) => ["--ro-bind", "/dev/null", join(app, name)])
    : [];
  const trace = `-ff --seccomp-bpf -qq -y -s 4096 -e signal=none -e trace=${calls} -o`;
  const bind = ["--bind", base, base, ...masks, "--chdir", app];
  const traced = [program("strace"), ...trace.split(" "), join(log, "call"), "/bin/bash", "-c"];
  const args = [...walls, ...bind, ...traced, script];
  const env = {
    PATH: join(base, "bin"),
    HOME: join(base, "home"),
    TMPDIR: join(base, "tmp"),
    TERM: "xterm",
    FUNCNEST: "20",
  };
  const child = spawn(program("bwrap"), args, {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      if (output.length < 1_000_000) output += text;
    });
  }
  const timer = setTimeout(() => child.kill("SIGKILL"), longestMs);
  await once(child, "close");
  clearTimeout(timer);
  return { effects: await readEffects(log), output };
}

async function readEffects(log: string): Promise<readonly Effect[]> {
  const names = await readdir(log);
  const texts = await Promise.all(names.map((name) => readFile(join(log, name), "utf8")));
  // One file per process.
  return texts.flatMap((text) => {
    let program: string | undefined;
    return text.split("\n").flatMap((line) =>
      effectOf(line).map((effect) => {
        if (effect.type === "exec") program = basename(effect.path);
        return { ...effect, program };
      }),
    );
  });
}

/** From a line such as `openat(AT_FDCWD</a>, "b", O_RDONLY) = 3</a/b>`. */
export function effectOf(line: string): readonly Effect[] {
  const match = /^(\w+)\((.*)\) += (-?\d+)(?:<(.*)>)?/.exec(line);
  if (!match) return [];
  const [, call = "", args = "", result = "", real] = match;
  const isDone = !result.startsWith("-");
  const path = real ?? pathOf(args);
  if (call === "connect") return /AF_INET/.test(args) ? [{ type: "connect", path: args }] : [];
  if (call.startsWith("exec")) {
    return isDone ? [{ type: "exec", path: /"((?:[^"\\]|\\.)*)"/.exec(args)?.[1] ?? "" }] : [];
  }
  if (!/^(?:open|openat|creat)$/.test(call)) return [{ type: "write", path }];
  const isWrite = call === "creat" || /O_(?:WRONLY|RDWR|CREAT|TRUNC)/.test(args);
  if (isWrite) return [{ type: "write", path }];
  return isDone ? [{ type: "read", path }] : [];
}

/** The last path of a call: of `rename` and `link` the new one. */
function pathOf(args: string): string {
  const found = [...args.matchAll(/(?:<([^<>]*)>, )?"((?:[^"\\]|\\.)*)"/g)].at(-1);
  const [, directory, name = ""] = found ?? [];
  return name.startsWith("/") || directory === undefined ? name : join(directory, name);
}
