import { join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Clock, detach } from "@turnwire/base";
import {
  accepted,
  rejected,
  type Result,
  type TrustInfo,
  type TrustList,
  type TrustStatus,
} from "@turnwire/protocol";
import {
  type ConfigurationRule,
  type RuleSet,
  type Scan,
  scanProject,
  type CoveredFile,
} from "@turnwire/runtime/configuration";
import { isInside } from "@turnwire/runtime/process";
import type { Runtime } from "@turnwire/runtime";
import { changeList, type ListChange } from "@turnwire/log/list";
import { projectPolicyRules } from "./project-policy.ts";
import type { TrustRecord, TrustStore } from "./trust-store.ts";
import { createHash } from "node:crypto";

export interface TrustedDirectoriesOptions {
  readonly store: TrustStore;
  readonly runtimes: readonly Pick<Runtime, "name" | "configuration">[];
  readonly clock: Clock;
  /** Files of a project that Turnwire itself reads. */
  readonly ownRules?: readonly ConfigurationRule[];
  /** Of a directory in a worktree that was made for a session: that worktree, and its repository. */
  readonly worktreeAround?: (directory: string) => Promise<WorktreePlace | undefined>;
  /** Called after the trust of a directory has changed, here or on another host. */
  readonly onChanged?: (path: string) => void;
  readonly onError?: (error: unknown) => void;
}

/** Where a worktree is, and what it is one of. */
export interface WorktreePlace {
  readonly path: string;
  readonly repository: string;
}

/** What was found in a directory, and whether it may take effect. */
export interface Assessment {
  readonly status: TrustStatus;
  readonly digest: string;
  readonly scan: Scan;
  /** The trust that applies, or that no longer does. */
  readonly record?: TrustRecord;
}

const maxFindings = 500;
const maxUncovered = 50;

/** Which directories may configure agents. Every question reads the files again; paths are real paths. */
export class TrustedDirectories {
  readonly #options: TrustedDirectoriesOptions;
  readonly #sets: readonly RuleSet[];
  readonly #stopWatch: (() => void) | undefined;
  #writing: Promise<unknown> = Promise.resolve();
  /** As they were when changes were last reported. */
  #reported: readonly TrustRecord[] | undefined;

  constructor(options: TrustedDirectoriesOptions) {
    this.#options = options;
    const { runtimes, ownRules = [] } = options;
    this.#sets = [...ruleSets(runtimes), { rules: ownRules, runtimes: [] }];
    const { store, onError = () => undefined } = options;
    const reload = (): void => detach(this.#reload(), onError);
    this.#stopWatch = store.subscribe?.(reload);
    if (this.#stopWatch) reload();
  }

  async assess(directory: string): Promise<Assessment> {
    const scan = await scanProject(directory, this.#sets);
    const digest = trustDigest(directory, scan.covered);
    if (scan.findings.length === 0) return { status: "none", digest, scan };
    const record = nearest(await this.#options.store.load(), directory);
    if (!record) return this.#assessByRepository(directory, { digest, scan });
    const status = await this.#statusBy(record, directory, { digest, scan });
    return { status, digest, scan, ...(status !== "untrusted" && { record }) };
  }

  async get(directory: string): Promise<TrustInfo> {
    return infoFrom(directory, await this.assess(directory));
  }

  /** Trusts the directory as it was shown. */
  async set(directory: string, digest: string): Promise<Result<TrustInfo>> {
    const { scan, digest: current } = await this.assess(directory);
    if (current !== digest) {
      return rejected(
        "trust_changed",
        `What ${directory} can run has changed since it was shown: look at it again.`,
        { digest: current },
      );
    }
    if (scan.problem !== undefined) {
      return rejected("forbidden", `${directory} cannot be trusted: ${scan.problem}.`);
    }
    const trusted_at = new Date(this.#options.clock.now()).toISOString();
    await this.#change((records) => ({
      items: [
        ...records.filter(({ path }) => path !== directory),
        { path: directory, digest, trusted_at },
      ],
      value: undefined,
    }));
    this.#options.onChanged?.(directory);
    return accepted(await this.get(directory));
  }

  /** False where the directory itself was never trusted. */
  async remove(directory: string): Promise<boolean> {
    const isKnown = await this.#change((records) => {
      const items = records.filter(({ path }) => path !== directory);
      return items.length < records.length ? { items, value: true } : { value: false };
    });
    if (isKnown) this.#options.onChanged?.(directory);
    return isKnown;
  }

  async list(): Promise<TrustList> {
    const records = await this.#options.store.load();
    const directories = records.map(({ path, trusted_at }) => ({ path, trusted_at }));
    return { directories: directories.toSorted((a, b) => (a.path < b.path ? -1 : 1)) };
  }

  /** Trust from above holds for what is below only where that adds nothing that can run commands. */
  async #statusBy(
    record: TrustRecord,
    directory: string,
    { digest, scan }: Pick<Assessment, "digest" | "scan">,
  ): Promise<TrustStatus> {
    if (scan.problem !== undefined) return "changed";
    if (record.path === directory) return digest === record.digest ? "trusted" : "changed";
    const addsOwn = scan.covered.some(({ level }) => !isInside(record.path, level));
    if (addsOwn) return "untrusted";
    const above = await scanProject(record.path, this.#sets);
    return trustDigest(record.path, above.covered) === record.digest ? "trusted" : "changed";
  }

  /** A worktree is trusted as its repository is, while it adds nothing that can run commands. */
  async #assessByRepository(
    directory: string,
    found: Pick<Assessment, "digest" | "scan">,
  ): Promise<Assessment> {
    const place = await this.#options.worktreeAround?.(directory);
    if (!place) return { status: "untrusted", ...found };
    const counterpart = join(place.repository, relative(place.path, directory));
    const { status, scan, record } = await this.assess(counterpart);
    if (status !== "trusted") {
      return { status: status === "changed" ? "changed" : "untrusted", ...found };
    }
    const known = new Map(
      scan.covered.map(({ path, fingerprint }) => [relative(place.repository, path), fingerprint]),
    );
    const addsNothing = found.scan.covered.every(
      ({ path, fingerprint }) => known.get(relative(place.path, path)) === fingerprint,
    );
    const isTrusted = addsNothing && found.scan.problem === undefined;
    return { status: isTrusted ? "trusted" : "changed", ...found, ...(record && { record }) };
  }

  close(): void {
    this.#stopWatch?.();
  }

  /** One change after the other, each on what the one before stored. */
  #change<Value>(
    change: (records: readonly TrustRecord[]) => ListChange<TrustRecord, Value>,
  ): Promise<Value> {
    const write = (): Promise<Value> =>
      changeList(this.#options.store, (records) => {
        const changed = change(records);
        this.#reported = changed.items ?? records;
        return changed;
      });
    const written = this.#writing.then(write, write);
    this.#writing = written;
    return written;
  }

  /** Reports what another host has changed. */
  async #reload(): Promise<void> {
    const records = await this.#options.store.load();
    const before = this.#reported;
    this.#reported = records;
    if (!before) return;
    for (const path of new Set([...before, ...records].map((record) => record.path))) {
      const find = (list: readonly TrustRecord[]) => list.find((record) => record.path === path);
      if (!isDeepStrictEqual(find(before), find(records))) this.#options.onChanged?.(path);
    }
  }
}

/** Runtimes that read the same files are looked at once. */
function ruleSets(runtimes: TrustedDirectoriesOptions["runtimes"]): RuleSet[] {
  const names = new Map<RuleSet["rules"], string[]>();
  for (const { name, configuration } of runtimes) {
    if (!configuration) continue;
    names.set(configuration.project, [...(names.get(configuration.project) ?? []), name]);
  }
  const policy = { rules: projectPolicyRules, runtimes: runtimes.map(({ name }) => name) };
  return [...Array.from(names, ([rules, of]) => ({ rules, runtimes: of })), policy];
}

function nearest(records: readonly TrustRecord[], directory: string): TrustRecord | undefined {
  return records
    .filter(({ path }) => isInside(directory, path))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
}

function infoFrom(directory: string, { status, digest, scan, record }: Assessment): TrustInfo {
  const { findings, problem } = scan;
  return {
    path: directory,
    status,
    digest,
    findings: findings.slice(0, maxFindings).map(({ level: _level, ...finding }) => ({
      ...finding,
      path: relative(directory, finding.path),
    })),
    is_truncated: findings.length > maxFindings,
    not_covered: notCovered(scan).slice(0, maxUncovered),
    ...(problem !== undefined && { problem }),
    ...(record && { trusted_path: record.path, trusted_at: record.trusted_at }),
  };
}

/** The facts that a person should know before they trust. */
function notCovered({ findings, uncovered }: Scan): string[] {
  const hasCommands = findings.some(({ kind }) => kind === "hook" || kind === "mcp_server");
  const hasInstructions = findings.some(({ kind }) => kind === "instructions");
  return [
    ...uncovered,
    ...(hasCommands
      ? [
          "Files that these commands and their scripts read or run in turn.",
          "Programs outside the project, and packages that are installed in it.",
        ]
      : []),
    ...(hasInstructions ? ["The text of instructions, such as CLAUDE.md, and its imports."] : []),
  ];
}

/** Stands for the content of all covered files, seen from a directory. */
function trustDigest(directory: string, covered: readonly CoveredFile[]): string {
  const lines = covered
    .map(({ path, fingerprint }) => JSON.stringify([relative(directory, path), fingerprint]))
    .toSorted();
  return createHash("sha256").update(lines.join("\n")).digest("hex");
}
