import { runGit } from "./git-command.ts";

/** A line of a repository's own configuration. */
export interface ConfigurationEntry {
  /** As git lists it: section and key in lower case. */
  readonly name: string;
  /** Undefined where the name stands alone, which means yes. */
  readonly value: string | undefined;
}

/** Whose configuration is the person's own, and not the repository's. */
const trustedScopes: ReadonlySet<string> = new Set(["system", "global", "command"]);

const TIMEOUT_MS = 4000;
const MAX_BYTES = 1024 * 1024;

/** The configuration of a repository itself, included files too; undefined where that cannot be known. */
export async function readOwnConfiguration(
  directory: string,
): Promise<readonly ConfigurationEntry[] | undefined> {
  const listed = await runGit({
    directory,
    args: ["config", "--list", "--show-scope", "-z"],
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  if (listed?.exitCode !== 0 || listed.isCut) return undefined;
  // A scope before each entry.
  const fields = listed.stdout.split("\0");
  return fields
    .filter((_entry, index) => index % 2 === 1 && !trustedScopes.has(fields[index - 1] ?? ""))
    .map((entry) => {
      const end = entry.indexOf("\n");
      return end === -1
        ? { name: entry, value: undefined }
        : { name: entry.slice(0, end), value: entry.slice(end + 1) };
    });
}

/** Values that run nothing, by the names that make git run a program without comparing files. */
const neutralValues: readonly (readonly [pattern: RegExp, value: string])[] = [
  // Hooks by configuration, which `core.hooksPath` does not switch off. Since git 2.54.
  [/^hook\..*\.enabled$/s, "false"],
  [/^hook\..*\.command$/s, "true"],
  [/^core\.(?:alternaterefscommand|gitproxy)$/, "false"],
];

/**
 * The names of a repository's own configuration that would run something when git lists, adds and
 * removes branches and worktrees, each with a value that runs nothing. Undefined where that cannot be known.
 */
export async function neutralConfiguration(
  directory: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  const entries = await readOwnConfiguration(directory);
  if (!entries) return undefined;
  return Object.fromEntries(
    entries.flatMap(({ name }) => {
      const known = neutralValues.find(([pattern]) => pattern.test(name));
      return known ? [[name, known[1]]] : [];
    }),
  );
}
