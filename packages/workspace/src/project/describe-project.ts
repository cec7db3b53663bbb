import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { Project, ProjectGit, ProjectTrust, Result } from "@turnwire/protocol";
import { isInside } from "@turnwire/runtime/process";

/** What is asked of the outside about a project's directory. */
export interface ProjectPorts {
  /** The real path of a directory, or why it cannot be used. */
  readonly open: (path: string) => Promise<Result<string>>;
  /** What git knows of it; undefined also where that is not known yet. */
  readonly gitOf: (path: string) => Promise<ProjectGit | undefined>;
  readonly trustOf: (path: string) => Promise<ProjectTrust>;
  /** The real path of the home directory. */
  readonly home: string;
}

interface Described {
  readonly path: string;
  /** Absent: the server was started with it. */
  readonly addedAt?: string;
}

/** A project as lists show it. */
export async function describeProject(
  { path, addedAt }: Described,
  ports: ProjectPorts,
): Promise<Project> {
  const opened = await ports.open(path);
  const isFixed = addedAt === undefined;
  // A root is what its path leads to; what was added is the directory it was then.
  const real = opened.ok && isFixed ? opened.value : path;
  const problem = problemOf(real, opened);
  const [git, trust] =
    problem === undefined
      ? await Promise.all([ports.gitOf(real), ports.trustOf(real)])
      : [undefined, "none" as const];
  const warning = warningFor(real, ports.home);
  return {
    id: projectId(real),
    path: real,
    name: basename(real) || real,
    display_path: displayPath(real, ports.home),
    is_available: problem === undefined,
    ...(problem !== undefined && { problem }),
    ...(warning !== undefined && { warning }),
    is_fixed: isFixed,
    ...(git && { git }),
    trust,
    ...(addedAt !== undefined && { added_at: addedAt }),
  };
}

/** From the path, so that the same directory has the same id on every start. */
export function projectId(path: string): string {
  return createHash("sha256").update(path).digest("hex").slice(0, 16);
}

function problemOf(path: string, opened: Result<string>): string | undefined {
  if (!opened.ok) return opened.error.message;
  return opened.value === path ? undefined : `${path} now leads to ${opened.value}.`;
}

function warningFor(path: string, home: string): string | undefined {
  if (path === home) return "This is your home directory: agents can reach everything in it.";
  return isInside(home, path)
    ? "Your home directory is inside: agents can reach everything in it."
    : undefined;
}

function displayPath(path: string, home: string): string {
  if (path === home) return "~";
  return home !== "/" && isInside(path, home) ? `~${path.slice(home.length)}` : path;
}
