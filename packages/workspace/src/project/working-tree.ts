import { mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type GitCommand, type GitResult, runGit } from "./git-command.ts";
import { type ConfigurationEntry, readOwnConfiguration } from "./own-configuration.ts";

const FIND_MS = 4000;
const FIND_BYTES = 64 * 1024;

/** The parts of a working tree, by absolute paths. */
export interface WorkingTree {
  readonly directory: string;
  readonly top: string;
  readonly gitDirectory: string;
  /** Shared by all working trees of the repository. */
  readonly commonDirectory: string;
}

/** A working tree with a copy of its repository's configuration. */
export interface OpenWorkingTree {
  readonly run: (command: Omit<GitCommand, "directory" | "tree">) => Promise<GitResult | undefined>;
  /** The repository's configuration defines filters, which the copy leaves out. */
  readonly hasOwnFilters: boolean;
}

/** Undefined outside of a working tree, or where there is no git. */
export async function findWorkingTree(directory: string): Promise<WorkingTree | undefined> {
  const found = await runGit({
    directory,
    args: [
      "rev-parse",
      "--path-format=absolute",
      "--show-toplevel",
      "--git-dir",
      "--git-common-dir",
    ],
    timeoutMs: FIND_MS,
    maxBytes: FIND_BYTES,
  });
  if (found?.exitCode !== 0) return undefined;
  const [top, gitDirectory, commonDirectory, end] = found.stdout.split("\n");
  if (!top || !gitDirectory || !commonDirectory || end !== "") return undefined;
  return { directory, top, gitDirectory, commonDirectory };
}

/**
 * Lets git compare and check out files by a copy of the repository's configuration that holds
 * nothing git would run. The repository's own may change at any time: git does not read it then.
 * Undefined where it cannot be copied.
 */
export async function useWorkingTree<Value>(
  tree: WorkingTree,
  use: (open: OpenWorkingTree) => Promise<Value>,
): Promise<Value | undefined> {
  const entries = await readOwnConfiguration(tree.directory);
  if (!entries) return undefined;
  const copy = await mkdtemp(join(tmpdir(), "turnwire-git-"));
  try {
    await writeFile(join(copy, "config"), configurationText(entries));
    const names = await readdir(tree.commonDirectory).catch(() => []);
    for (const name of names.filter((one) => sharedNames.has(one))) {
      await symlink(join(tree.commonDirectory, name), join(copy, name));
    }
    const { directory, top, gitDirectory } = tree;
    const place = { top, gitDirectory, commonDirectory: copy };
    return await use({
      run: (command) => runGit({ ...command, directory, tree: place }),
      hasOwnFilters: entries.some(({ name }) => name.startsWith("filter.")),
    });
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** The parts of the common directory that git needs, besides configuration and hooks. */
const sharedNames: ReadonlySet<string> = new Set([
  "HEAD",
  "info",
  "logs",
  "objects",
  "packed-refs",
  "refs",
  "reftable",
  "shallow",
  "worktrees",
]);

/** The names for how files and the repository are stored; nothing among these names a program or an address. */
const storageNames = new RegExp(
  [
    "^core\\.(?:",
    "attributesfile|autocrlf|bigfilethreshold|checkroundtripencoding|eol|excludesfile|filemode|",
    "ignorecase|logallrefupdates|precomposeunicode|protecthfs|protectntfs|repositoryformatversion|",
    "safecrlf|sharedrepository|sparsecheckout|sparsecheckoutcone|symlinks",
    ")$",
    "|^index\\.[a-z]+$",
    // An unknown one is copied too: git then refuses what it could not read.
    "|^extensions\\.(?!partialclone$|worktreeconfig$)[a-z]+$",
  ].join(""),
);

function configurationText(entries: readonly ConfigurationEntry[]): string {
  return entries
    .filter(({ name }) => storageNames.test(name))
    .map(({ name, value }) => {
      const [section, key] = name.split(".");
      return `[${section}]\n\t${key}${value === undefined ? "" : ` = ${quoted(value)}`}\n`;
    })
    .join("");
}

function quoted(value: string): string {
  const escaped = value.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  return `"${escaped}"`;
}
