import { runGit } from "./git-command.ts";

/** Values that run nothing, by the names that make git run a program. Names are as git lists them. */
const neutralValues: readonly (readonly [pattern: RegExp, value: string])[] = [
  [/^filter\..*\.(?:clean|smudge|process)$/s, ""],
  [/^filter\..*\.required$/s, "false"],
  [/^diff\..*\.(?:command|textconv)$/s, ""],
  [/^merge\..*\.driver$/s, "false"],
  // Hooks by configuration, which `core.hooksPath` does not switch off. Since git 2.54.
  [/^hook\..*\.enabled$/s, "false"],
  [/^hook\..*\.command$/s, "true"],
  [/^gpg\..*\.program$/s, "false"],
  [/^credential\..*\.helper$/s, ""],
  [/^core\.(?:alternaterefscommand|gitproxy)$/, "false"],
  [/^interactive\.difffilter$/, ""],
];

/** Whose configuration is the person's own, and not the repository's. */
const trustedScopes: ReadonlySet<string> = new Set(["system", "global", "command"]);

const TIMEOUT_MS = 4000;
const MAX_BYTES = 1024 * 1024;

/**
 * What a repository's own configuration would run when git reads or writes files, each name with a
 * value that runs nothing. Undefined where that cannot be known: then git must not touch files.
 */
export async function neutralConfiguration(
  directory: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  const listed = await runGit({
    directory,
    args: ["config", "--list", "--show-scope", "--name-only", "-z"],
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  if (listed?.exitCode !== 0 || listed.isCut) return undefined;
  return Object.fromEntries(
    ownNames(listed.stdout).flatMap((name) => {
      const known = neutralValues.find(([pattern]) => pattern.test(name));
      return known ? [[name, known[1]]] : [];
    }),
  );
}

/** The names that the repository itself sets: the output has a scope before each name. */
function ownNames(output: string): string[] {
  const fields = output.split("\0");
  return fields.filter(
    (_name, index) => index % 2 === 1 && !trustedScopes.has(fields[index - 1] ?? ""),
  );
}
