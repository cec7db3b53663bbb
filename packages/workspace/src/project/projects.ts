import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Clock } from "@turnwire/base";
import {
  accepted,
  type DirectoryList,
  limits,
  type Project,
  type ProjectList,
  rejected,
  type Result,
  type Principal,
} from "@turnwire/protocol";
import { isInside } from "@turnwire/runtime/process";
import { isInsideAny, openDirectory, realDirectories } from "./working-directory.ts";
import { describeProject, projectId, type ProjectPorts } from "./describe-project.ts";
import { listDirectory } from "./directory-list.ts";
import { DirectoryProbe } from "./directory-probe.ts";
import { GitFacts } from "./git-facts.ts";
import { ProjectRecords } from "./project-records.ts";
import type { ProjectRecord, ProjectStore } from "./project-store.ts";

/** What an embedder, or the program that serves, decides about projects. */
export interface ProjectSettings extends Partial<Pick<ProjectPorts, "gitOf" | "trustOf">> {
  /** Where the projects that admins add are stored; without it the roots are the only ones. */
  readonly store?: ProjectStore;
  /** A directory that is a project from the beginning, and where sessions work that name none. */
  readonly startDirectory?: string;
  /** The server's own files: no project. */
  readonly dataDirectory?: string;
  /** The directory that `~` names; the home directory of the process by default. */
  readonly home?: string;
}

export interface ProjectsOptions extends ProjectSettings {
  /** Where agents may work at all; none: wherever an admin adds a project. */
  readonly roots: readonly string[];
  readonly clock: Clock;
  readonly onChanged: () => void;
  readonly onError: (error: unknown) => void;
}

export interface AddedProject {
  readonly project: Project;
  /** It was not a project before. */
  readonly isNew: boolean;
}

/** The directories in which sessions can be created: the roots, and what admins have added. */
export class Projects {
  readonly #options: ProjectsOptions;
  readonly #records: ProjectRecords;
  readonly #git: GitFacts;
  readonly #ports: ProjectPorts;

  constructor(options: ProjectsOptions) {
    const { clock, home = homedir() } = options;
    const probe = new DirectoryProbe(clock);
    this.#options = options;
    this.#git = new GitFacts(options);
    this.#ports = {
      open: (path) => probe.open(path),
      gitOf: options.gitOf ?? ((path) => this.#git.of(path)),
      trustOf: options.trustOf ?? (async () => "none"),
      home: realPath(home),
    };
    this.#records = new ProjectRecords({
      store: options.store,
      clock,
      first: () => this.#startDirectory(),
      onChanged: options.onChanged,
      onError: options.onError,
    });
  }

  async list(principal: Principal): Promise<ProjectList> {
    const records = principal.isAdmin ? await this.#visibleRecords() : [];
    const [fixed, added] = await Promise.all([
      this.#fixedProjects(),
      Promise.all(records.map((record) => this.#describe(record))),
    ]);
    const known = new Set(fixed.map(({ id }) => id));
    const canAdd = principal.isAdmin && this.#options.store !== undefined;
    return {
      projects: [...fixed, ...added.filter(({ id }) => !known.has(id))],
      can_add: canAdd,
      ...(canAdd && { home: this.#pickerStart }),
    };
  }

  /** Adds a directory, or finds the project that it is already. */
  async add(path: string): Promise<Result<AddedProject>> {
    if (!this.#options.store) {
      return rejected("forbidden", "This server has a fixed list of projects.");
    }
    const opened = await this.#ports.open(this.#expand(path));
    if (!opened.ok) return opened;
    const refusal = await this.#refuse(opened.value);
    if (refusal) return refusal;
    const fixed = (await this.#fixedProjects()).find((project) => project.path === opened.value);
    if (fixed) return accepted({ project: fixed, isNew: false });
    const added = await this.#records.add(opened.value);
    if (!added) {
      return rejected(
        "invalid_request",
        `There are ${limits.projects} projects: remove one first.`,
      );
    }
    return accepted({ project: await this.#describe(added.record), isNew: added.isNew });
  }

  /** Takes a project out of the list. Its sessions and its files stay. */
  async remove(id: string): Promise<Result<void>> {
    if (await this.#records.remove(({ path }) => projectId(path) === id)) {
      return accepted(undefined);
    }
    const isFixed = (await this.#fixedProjects()).some((project) => project.id === id);
    return isFixed
      ? rejected("forbidden", "The server was started with this project: it cannot be removed.")
      : rejected("not_found", "There is no such project.");
  }

  /** The directories in a directory, for a picker. */
  async directories(path = this.#pickerStart): Promise<Result<DirectoryList>> {
    const opened = await this.open(path);
    return opened.ok ? listDirectory(opened.value, await this.#visibility()) : opened;
  }

  /** The real path of a directory that admins may look at: any, or with roots what is inside them. */
  async open(path: string): Promise<Result<string>> {
    const opened = await this.#ports.open(this.#expand(path));
    if (!opened.ok) return opened;
    const isVisible = await this.#visibility();
    return isVisible(opened.value) ? opened : outsideRoots(path);
  }

  /** The directories in which a principal may create sessions. */
  async allowed(principal: Principal): Promise<readonly string[]> {
    if (!principal.isAdmin) return this.#options.roots;
    return [...this.#options.roots, ...(await this.#visibleRecords()).map(({ path }) => path)];
  }

  /** Where a new session works: the real path of what was asked for, or of the default. */
  async admit(requested: string | undefined, principal: Principal): Promise<Result<string>> {
    const wanted = requested ?? (await this.#defaultDirectory(principal));
    if (wanted === undefined) {
      return rejected(
        "cwd_not_allowed",
        "There is no project yet: add one in the app, or with `turnwire projects add DIR`.",
      );
    }
    const opened = await openDirectory(wanted);
    if (!opened.ok) return rejected("invalid_request", opened.error.message);
    const allowed = await realDirectories(await this.allowed(principal));
    return isInsideAny(opened.value, allowed) ? opened : this.#outside(opened.value, principal);
  }

  /**
   * Where a session works that was admitted before. To remove a project does not end its sessions;
   * but what has become a link to somewhere else meanwhile is judged again.
   */
  async readmit(directory: string): Promise<Result<string>> {
    const opened = await openDirectory(directory);
    if (!opened.ok) return rejected("invalid_request", opened.error.message);
    if (isInsideAny(opened.value, await realDirectories(this.#options.roots))) return opened;
    if (this.#isBound) return outsideRoots(directory);
    if (opened.value === directory && this.#options.store) return opened;
    return this.admit(directory, { id: "", isAdmin: true });
  }

  /** An agent has done something in a directory: what git knows of it may have changed. */
  touch(directory: string): void {
    this.#git.touch(directory);
  }

  close(): void {
    this.#records.close();
    this.#git.close();
  }

  async #visibility(): Promise<(real: string) => boolean> {
    const roots = await realDirectories(this.#options.roots);
    return (real) => !this.#isBound || isInsideAny(real, roots);
  }

  get #isBound(): boolean {
    return this.#options.roots.length > 0;
  }

  get #pickerStart(): string {
    return this.#options.roots[0] ?? this.#ports.home;
  }

  /** `~` written out. */
  #expand(path: string): string {
    if (path === "~") return this.#ports.home;
    return path.startsWith("~/") ? join(this.#ports.home, path.slice(2)) : path;
  }

  async #startDirectory(): Promise<string | undefined> {
    const { startDirectory } = this.#options;
    if (startDirectory === undefined) return undefined;
    const opened = await openDirectory(startDirectory);
    return opened.ok && !(await this.#refuse(opened.value)) ? opened.value : undefined;
  }

  /** The first root; else where the server was started; else the newest project that is there. */
  async #defaultDirectory({ isAdmin }: Principal): Promise<string | undefined> {
    const [root] = this.#options.roots;
    if (root !== undefined || !isAdmin) return root;
    const records = await this.#records.load();
    const start = await this.#startDirectory();
    if (records.some(({ path }) => path === start)) return start;
    const available = await realDirectories(records.map(({ path }) => path));
    return available[0] ?? records[0]?.path;
  }

  /** What was added under other roots stays stored, but is not a project of this server. */
  async #visibleRecords(): Promise<readonly ProjectRecord[]> {
    const records = await this.#records.load();
    if (!this.#isBound) return records;
    const roots = await realDirectories(this.#options.roots);
    return records.filter(({ path }) => isInsideAny(path, roots));
  }

  #fixedProjects(): Promise<Project[]> {
    const { roots } = this.#options;
    return Promise.all(roots.map((path) => describeProject({ path }, this.#ports)));
  }

  #describe({ path, added_at: addedAt }: ProjectRecord): Promise<Project> {
    return describeProject({ path, addedAt }, this.#ports);
  }

  /** Why a directory cannot be a project here. */
  async #refuse(path: string): Promise<ReturnType<typeof rejected> | undefined> {
    const { dataDirectory, roots } = this.#options;
    if (dirname(path) === path) {
      const message = "The whole file system cannot be a project: choose a directory in it.";
      return rejected("invalid_request", message);
    }
    if (dataDirectory !== undefined && isInside(path, realPath(dataDirectory))) {
      const message = `${path} belongs to Turnwire itself: choose another directory.`;
      return rejected("invalid_request", message);
    }
    if (!this.#isBound || isInsideAny(path, await realDirectories(roots))) return undefined;
    return outsideRoots(path);
  }

  #outside(path: string, { isAdmin }: Principal): ReturnType<typeof rejected> {
    const canAdd = isAdmin && this.#options.store !== undefined && !this.#isBound;
    if (!canAdd) return outsideRoots(path);
    return rejected(
      "cwd_not_allowed",
      `${path} is in no project: add it in the app, or with \`turnwire projects add\`.`,
      { can_add: true, path },
    );
  }
}

function outsideRoots(path: string): ReturnType<typeof rejected> {
  const message = `${path} is outside the allowed roots (--root).`;
  return rejected("cwd_not_allowed", message, { can_add: false });
}

/** As given where it does not exist. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error) return path;
    throw error;
  }
}
