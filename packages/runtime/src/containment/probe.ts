import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type Containment, containedCommand } from "./contained-command.ts";
import type { Confinement } from "./confinement.ts";

/** Whether commands can run contained on this machine, or why not, with the next step. */
export type ContainmentStatus =
  | { readonly containment: Containment; readonly problem?: undefined }
  | { readonly containment?: undefined; readonly problem: string };

let known: ContainmentStatus | undefined;

/** Tried once in the life of the process. */
export function containmentStatus(): ContainmentStatus {
  known ??= probe();
  return known;
}

/** Tries to break out of a small confinement: only what really holds counts. */
export function probe(
  platform: NodeJS.Platform = process.platform,
  path = process.env["PATH"] ?? "",
): ContainmentStatus {
  const shell = "/bin/bash";
  if (platform === "linux") {
    const found = findProgram("bwrap", path);
    if (found === undefined) {
      return {
        problem:
          "bubblewrap is not installed. Install it, for example with: apt-get install bubblewrap",
      };
    }
    return tried({ program: "bwrap", path: found, shell });
  }
  if (platform === "darwin") {
    return tried({ program: "sandbox-exec", path: "/usr/bin/sandbox-exec", shell });
  }
  return { problem: "commands can be contained on Linux and macOS only." };
}

function tried(containment: Containment): ContainmentStatus {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "turnwire-containment-")));
  const secret = join(place, "secret");
  try {
    writeFileSync(secret, "readable");
    const confinement: Confinement = {
      writes: "nothing",
      reads: "inside",
      network: false,
      roots: [place],
      readable: [],
      repositories: [],
      emptied: [],
      fixed: [],
      anchored: [],
      absent: [],
      hidden: [{ path: secret, isDirectory: false }],
    };
    const command = `echo started; cat ${secret}; : > ${join(place, "written")} && echo written`;
    const line = containedCommand(containment, { command, cwd: place, confinement });
    const { stdout, stderr, error } = spawnSync(containment.shell, ["-c", line ?? "false"], {
      cwd: place,
      encoding: "utf8",
      timeout: 30_000,
    });
    if (stdout === "started\n") return { containment };
    const [cause = ""] = (error?.message ?? stderr).trim().split("\n");
    return { problem: problemFrom(containment, stdout === "" || stdout === null, cause) };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function problemFrom({ program }: Containment, isNotStarted: boolean, cause: string): string {
  if (!isNotStarted) return `${program} does not hold commands on this machine.`;
  return program === "bwrap"
    ? `bubblewrap cannot start here (${cause}). It needs user namespaces: allow them with sysctl kernel.unprivileged_userns_clone=1, or start the container with a seccomp profile that does.`
    : `sandbox-exec cannot start here (${cause}).`;
}

function findProgram(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter(Boolean)
    .map((directory) => join(directory, name))
    .find((candidate) => {
      try {
        accessSync(candidate, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
