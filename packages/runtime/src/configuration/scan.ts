import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import type { TrustFinding } from "@turnwire/protocol";
import { isInside } from "../process/path-inside.ts";
import { listInside, readInside, type ReadFile } from "./bounded-file.ts";
import { commandFiles } from "./command-file.ts";
import { exists, type Level, levelsFrom } from "./levels.ts";
import type { ConfigurationRule, Definition } from "./rule.ts";

/** The rules of one runtime, or of several that read the same files. */
export interface RuleSet {
  readonly runtimes: readonly string[];
  readonly rules: readonly ConfigurationRule[];
}

/** Something that configures an agent; its path is absolute here. */
export type Finding = TrustFinding & { readonly level: string };

/** A file whose content the digest covers. */
export interface CoveredFile {
  readonly path: string;
  /** The directory whose configuration it belongs to. */
  readonly level: string;
  readonly fingerprint: string;
}

export interface Scan {
  readonly findings: readonly Finding[];
  readonly covered: readonly CoveredFile[];
  /** Why not everything could be looked at. */
  readonly problem?: string;
  /** The things that commands run and the digest does not cover, one sentence each. */
  readonly uncovered: readonly string[];
}

export const scanLimits = {
  /** One file that is covered by the digest. */
  fileBytes: 1024 * 1024,
  /** Files below one directory of agents, skills or commands. */
  files: 2000,
  depth: 8,
};

/** Looks at everything that would configure agents in a directory. It reads inside the project only. */
export async function scanProject(directory: string, sets: readonly RuleSet[]): Promise<Scan> {
  const levels = await levelsFrom(directory);
  const repository = levels.findLast(({ isInRepository }) => isInRepository)?.directory;
  const hasRepository = levels.some(({ isRoot }) => isRoot);
  const scan = new ScanDraft();
  for (const level of levels) {
    const boundary = level.isInRepository ? (repository ?? level.directory) : level.directory;
    const present = await presentIn(level.directory, sets);
    for (const { runtimes, rules } of sets) {
      for (const rule of rules) {
        if (!present.has(firstName(rule)) || !isReached(rule, level, hasRepository)) continue;
        await scan.visit({ rule, runtimes, level: level.directory, boundary });
      }
    }
  }
  return scan.done();
}

/** Which of the names that rules begin with are in a directory: most have none of them. */
async function presentIn(directory: string, sets: readonly RuleSet[]): Promise<Set<string>> {
  const names = [...new Set(sets.flatMap(({ rules }) => rules.map(firstName)))];
  const isPresent = await Promise.all(names.map((name) => exists(join(directory, name))));
  return new Set(names.filter((_, index) => isPresent[index]));
}

function firstName({ path }: ConfigurationRule): string {
  return path.split("/")[0] ?? path;
}

/** Looks at a person's own files, which need no trust and may be links. */
export async function scanUser(
  directory: string,
  rules: readonly ConfigurationRule[],
): Promise<readonly Finding[]> {
  const scan = new ScanDraft();
  for (const rule of rules) {
    await scan.visit({ rule, runtimes: [], level: directory, boundary: "/" });
  }
  return scan.done().findings;
}

function isReached({ reach }: ConfigurationRule, level: Level, hasRepository: boolean): boolean {
  if (level.isOwn) return true;
  switch (reach) {
    case "own":
      return false;
    case "root":
      return level.isRoot;
    case "repository":
      return level.isInRepository;
    case "project":
      return level.isInRepository || !hasRepository;
    case "all":
      return true;
  }
}

interface Look {
  readonly rule: ConfigurationRule;
  readonly runtimes: readonly string[];
  readonly level: string;
  readonly boundary: string;
}

class ScanDraft {
  readonly #findings = new Map<string, Finding>();
  readonly #covered = new Map<string, CoveredFile>();
  readonly #uncovered = new Set<string>();
  #problem: string | undefined;

  async visit(look: Look): Promise<void> {
    const { rule, level, boundary } = look;
    const place = join(level, rule.path);
    if (!rule.files) return this.#readFile(look, place);
    const { files, depth } = scanLimits;
    const listing = await listInside(place, { boundary, maxFiles: files, maxDepth: depth });
    if (rule.canExecute) this.#problem ??= listing.problem;
    for (const path of listing.paths) {
      if (rule.files(path)) await this.#readFile(look, join(place, path));
    }
  }

  done(): Scan {
    const scan = {
      findings: [...this.#findings.values()],
      covered: [...this.#covered.values()],
      uncovered: [...this.#uncovered],
    };
    return this.#problem === undefined ? scan : { ...scan, problem: this.#problem };
  }

  async #readFile(look: Look, path: string): Promise<void> {
    const { rule, level, boundary } = look;
    const content = await readInside(path, boundary, scanLimits.fileBytes);
    if (content.type === "missing") return;
    if (rule.canExecute) this.#cover(path, level, content);
    const definitions = definitionsIn(content, rule, path);
    for (const definition of definitions) {
      this.#add(look, path, definition);
      if (rule.canExecute) await this.#coverScripts(definition, level, boundary);
    }
  }

  #add({ rule, runtimes, level }: Look, path: string, definition: Definition): void {
    const { kind = rule.kind, name, detail } = definition;
    const key = JSON.stringify([path, kind, name, detail]);
    const earlier = this.#findings.get(key);
    this.#findings.set(key, {
      kind,
      path,
      ...(name !== undefined && { name: cut(name, 200) }),
      ...(detail !== undefined && { detail: cut(detail, 500) }),
      runtimes: [...new Set([...(earlier?.runtimes ?? []), ...runtimes])],
      can_execute: rule.canExecute || earlier?.can_execute === true,
      level,
    });
  }

  #cover(path: string, level: string, content: ReadFile): void {
    if (content.type === "missing") return;
    if (content.type === "outside") {
      this.#problem ??= `${path} is a link to ${content.target}, outside the project`;
    }
    if (content.type === "unread" && content.reason.startsWith("larger")) {
      this.#problem ??= `${path} is ${content.reason}`;
    }
    this.#covered.set(path, { path, level, fingerprint: fingerprintOf(content) });
  }

  /** A hook that runs a script of the project runs whatever that script says later. */
  async #coverScripts({ command }: Definition, level: string, boundary: string): Promise<void> {
    if (command === undefined) return;
    const { files, folders, unknown } = commandFiles(command, level);
    for (const sentence of unknown) this.#uncovered.add(sentence);
    for (const file of files) await this.#coverScript(join(level, file), level, boundary);
    const { files: maxFiles, depth: maxDepth } = scanLimits;
    for (const folder of folders) {
      const listing = await listInside(join(level, folder), { boundary, maxFiles, maxDepth });
      if (listing.problem !== undefined) this.#uncovered.add(`${folder}: ${listing.problem}.`);
      for (const path of listing.paths) {
        await this.#coverScript(join(level, folder, path), level, boundary);
      }
    }
  }

  async #coverScript(path: string, level: string, boundary: string): Promise<void> {
    if (this.#covered.has(path)) return;
    if (!isInside(path, boundary)) return;
    const content = await readInside(path, boundary, scanLimits.fileBytes);
    if (content.type === "missing" || isDirectory(content)) return;
    if (content.type === "outside" && isInstalled(content.target)) {
      this.#covered.set(path, { path, level, fingerprint: fingerprintOf(content) });
    } else this.#cover(path, level, content);
  }
}

function isDirectory(content: ReadFile): boolean {
  return content.type === "unread" && content.reason === "not a regular file";
}

/** Programs of the system, such as the interpreter that a virtual environment links to. */
function isInstalled(target: string): boolean {
  return /^\/(?:usr|bin|sbin|lib\w*|opt|nix\/store|Library|System)\//.test(target);
}

function definitionsIn(
  content: ReadFile,
  rule: ConfigurationRule,
  path: string,
): readonly Definition[] {
  const name = basename(path);
  switch (content.type) {
    case "missing":
      return [];
    case "outside":
      return [{ detail: `a link to ${content.target}` }];
    case "unread":
      return [{ detail: content.reason }];
    case "text":
      try {
        return rule.read?.(content.bytes.toString("utf8"), path) ?? [{ name }];
      } catch {
        return [{ detail: "cannot be understood" }];
      }
  }
}

function fingerprintOf(content: Exclude<ReadFile, { type: "missing" }>): string {
  if (content.type === "text") return createHash("sha256").update(content.bytes).digest("hex");
  return content.type === "outside" ? `link:${content.target}` : `unread:${content.reason}`;
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
