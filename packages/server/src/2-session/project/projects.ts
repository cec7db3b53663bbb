import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Clock } from "@turnwire/base";
import {
  accepted,
  type DirectoryList,
  limits,
  type Project,
  type ProjectGit,
  type ProjectList,
  type ProjectTrust,
  rejected,
  type Result,
} from "@turnwire/protocol";
import type { Principal } from "../principal.ts";
import { isInside } from "../../1-runtime/path-inside.ts";
import { openDirectory, realDirectory } from "../working-directory.ts";
import { listDirectory } from "./directory-list.ts";
import type { ProjectRecord, ProjectStore } from "./project-store.ts";

/** What an embedder, or the program that serves, decides about projects. */
export interface ProjectSettings {
  /** Where the projects that admins add are stored; without it the roots are the only ones. */
  readonly store?: ProjectStore;
  /** A directory that is a project from the beginning, and where sessions work that name none. */
  readonly startDirectory?: string;
  /** The server's own files: no project. */
  readonly dataDirectory?: string;
  /** What `~` stands for; the home directory of the process by default. */
  readonly home?: string;
  /** What git knows of a directory, without delay. */
  readonly gitOf?: (path: string) => Promise<ProjectGit | undefined>;
  /** Whether a directory's own settings are used. */
  readonly trustOf?: (path: string) => Promise<ProjectTrust>;
}

export interface ProjectsOptions extends ProjectSettings {
  /** Where agents may work at all; none: wherever an admin adds a project. */
  readonly roots: readonly string[];
  readonly clock: Clock;
  readonly onChanged: () => void;
}

export interface AddedProject {
  readonly project: Project;
  /** It was no project before. */
  readonly isNew: boolean;
}

/** The directories in which sessions can be created: the roots, and what admins have added. */
export class Projects {
  readonly #options: ProjectsOptions;
  readonly #home: string;
  #records: Promise<readonly ProjectRecord[]> | undefined;
  /** One change after the other: each begins with what the one before has stored. */
  #changing: Promise<unknown> = Promise.resolve();

  constructor(options: ProjectsOptions) {
    this.#options = options;
    this.#home = options.home ?? homedir();
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
    const { store, clock } = this.#options;
    if (!store) return rejected("forbidden", "This server has a fixed list of projects.");
    const opened = await openDirectory(this.expand(path));
    if (!opened.ok) return opened;
    const objection = await this.#objectionTo(opened.value);
    if (objection) return objection;
    return this.#change<AddedProject>(async (records) => {
      const fixed = await this.#fixedProjects();
      const existing = fixed.find((project) => project.path === opened.value);
      if (existing) return accepted({ project: existing, isNew: false });
      const stored = records.find((record) => record.path === opened.value);
      if (stored) return accepted({ project: await this.#describe(stored), isNew: false });
      if (records.length >= limits.projects) {
        return rejected(
          "invalid_request",
          `There are ${records.length} projects: remove one first.`,
        );
      }
      const record = { path: opened.value, added_at: new Date(clock.now()).toISOString() };
      await this.#save(store, [record, ...records]);
      return accepted({ project: await this.#describe(record), isNew: true });
    });
  }

  /** Takes a project out of the list. Its sessions and its files stay. */
  async remove(id: string): Promise<Result<void>> {
    const { store } = this.#options;
    return this.#change(async (records) => {
      const rest = records.filter(({ path }) => idOf(path) !== id);
      if (store && rest.length < records.length) {
        await this.#save(store, rest);
        return accepted(undefined);
      }
      const isFixed = (await this.#fixedProjects()).some((project) => project.id === id);
      return isFixed
        ? rejected("forbidden", "The server was started with this project: it cannot be removed.")
        : rejected("not_found", "There is no such project.");
    });
  }

  /** The directories in a directory, for a picker. */
  async directories(path = this.#pickerStart): Promise<Result<DirectoryList>> {
    const opened = await this.open(path);
    return opened.ok ? listDirectory(opened.value, await this.#visibility()) : opened;
  }

  /** The real path of a directory that admins may look at: any, or with roots what is inside them. */
  async open(path: string): Promise<Result<string>> {
    const opened = await openDirectory(this.expand(path));
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
        "There is no project yet: add one in the app, or by `turnwire projects add DIR`.",
      );
    }
    const opened = await openDirectory(wanted);
    if (!opened.ok) return rejected("invalid_request", opened.error.message);
    const allowed = await Promise.all((await this.allowed(principal)).map(realDirectory));
    if (allowed.some((root) => root !== undefined && isInside(opened.value, root))) return opened;
    return this.#outside(opened.value, principal);
  }

  /**
   * Where a session works that was admitted before. A project that was removed meanwhile does not
   * end its sessions; but what has become a link to somewhere else is checked anew.
   */
  async readmit(directory: string): Promise<Result<string>> {
    const opened = await openDirectory(directory);
    if (!opened.ok) return rejected("invalid_request", opened.error.message);
    const roots = await this.#realRoots();
    if (roots.some((root) => isInside(opened.value, root))) return opened;
    if (this.#options.roots.length > 0) return outsideRoots(directory);
    if (opened.value === directory && this.#options.store) return opened;
    return this.admit(directory, { id: "", isAdmin: true });
  }

  /** `~` written out. */
  expand(path: string): string {
    if (path === "~") return this.#home;
    return path.startsWith("~/") ? join(this.#home, path.slice(2)) : path;
  }

  async #visibility(): Promise<(real: string) => boolean> {
    const roots = await this.#realRoots();
    return (real) => this.#options.roots.length === 0 || roots.some((root) => isInside(real, root));
  }

  get #pickerStart(): string {
    return this.#options.roots[0] ?? this.#home;
  }

  async #defaultDirectory(principal: Principal): Promise<string | undefined> {
    const [root] = this.#options.roots;
    if (root !== undefined) return root;
    if (!principal.isAdmin) return undefined;
    return this.#options.startDirectory ?? (await this.#load())[0]?.path;
  }

  /** What was added under other roots stays stored, but is no project of this server. */
  async #visibleRecords(): Promise<readonly ProjectRecord[]> {
    const records = await this.#load();
    if (this.#options.roots.length === 0) return records;
    const roots = await this.#realRoots();
    return records.filter(({ path }) => roots.some((root) => isInside(path, root)));
  }

  async #fixedProjects(): Promise<Project[]> {
    return Promise.all(this.#options.roots.map((path) => this.#describe({ path })));
  }

  async #realRoots(): Promise<string[]> {
    const roots = await Promise.all(this.#options.roots.map(realDirectory));
    return roots.filter((root) => root !== undefined);
  }

  async #describe({ path, added_at }: { path: string; added_at?: string }): Promise<Project> {
    const { gitOf, trustOf } = this.#options;
    const isFixed = added_at === undefined;
    const opened = await openDirectory(path);
    const real = opened.ok && isFixed ? opened.value : path;
    const isMoved = opened.ok && opened.value !== real;
    const isAvailable = opened.ok && !isMoved;
    const [git, trust] = isAvailable
      ? await Promise.all([gitOf?.(real), trustOf?.(real)])
      : [undefined, undefined];
    return {
      id: idOf(real),
      path: real,
      name: basename(real) || real,
      display_path: this.#displayPath(real),
      is_available: isAvailable,
      ...(!opened.ok && { problem: opened.error.message }),
      ...(isMoved && { problem: `${real} now leads to ${opened.value}: add that directory.` }),
      is_fixed: isFixed,
      ...(git && { git }),
      trust: trust ?? "none",
      ...(added_at !== undefined && { added_at }),
    };
  }

  #displayPath(path: string): string {
    if (path === this.#home) return "~";
    return isInside(path, this.#home) && this.#home !== "/"
      ? `~${path.slice(this.#home.length)}`
      : path;
  }

  async #objectionTo(path: string): Promise<ReturnType<typeof rejected> | undefined> {
    const { dataDirectory, roots } = this.#options;
    if (dirname(path) === path) {
      return rejected(
        "invalid_request",
        "The whole file system cannot be a project: choose a directory in it.",
      );
    }
    const data = dataDirectory === undefined ? undefined : await realDirectory(dataDirectory);
    if (data !== undefined && isInside(path, data)) {
      return rejected(
        "invalid_request",
        `${path} belongs to Turnwire itself: choose another directory.`,
      );
    }
    if (roots.length === 0) return undefined;
    const realRoots = await this.#realRoots();
    return realRoots.some((root) => isInside(path, root)) ? undefined : outsideRoots(path);
  }

  #outside(path: string, { isAdmin }: Principal): ReturnType<typeof rejected> {
    const canAdd = isAdmin && this.#options.store !== undefined && this.#options.roots.length === 0;
    if (!canAdd) return outsideRoots(path);
    return rejected(
      "cwd_not_allowed",
      `${path} is in no project: add it in the app, or by \`turnwire projects add\`.`,
      { can_add: true, path },
    );
  }

  async #change<Value>(
    change: (records: readonly ProjectRecord[]) => Promise<Result<Value>>,
  ): Promise<Result<Value>> {
    const changed = this.#changing.then(async () => change(await this.#load()));
    this.#changing = changed.catch(() => undefined);
    return changed;
  }

  async #save(store: ProjectStore, records: readonly ProjectRecord[]): Promise<void> {
    await store.save(records);
    this.#records = Promise.resolve(records);
    this.#options.onChanged();
  }

  #load(): Promise<readonly ProjectRecord[]> {
    this.#records ??= this.#read().catch((error: unknown) => {
      // The next one tries again: the file may be readable by then.
      this.#records = undefined;
      throw error;
    });
    return this.#records;
  }

  async #read(): Promise<readonly ProjectRecord[]> {
    const { store, startDirectory, clock } = this.#options;
    const records = (await store?.load()) ?? [];
    const start = startDirectory === undefined ? undefined : await realDirectory(startDirectory);
    if (!store || start === undefined || (await this.#objectionTo(start))) return records;
    if (records.some(({ path }) => path === start)) return records;
    const added = [{ path: start, added_at: new Date(clock.now()).toISOString() }, ...records];
    await store.save(added);
    return added;
  }
}

/** From the path, so that the same directory has the same id on every start. */
function idOf(path: string): string {
  return createHash("sha256").update(path).digest("hex").slice(0, 16);
}

function outsideRoots(path: string): ReturnType<typeof rejected> {
  return rejected(
    "cwd_not_allowed",
    `${path} is outside the directories that this server was started with (--root).`,
    { can_add: false },
  );
}
