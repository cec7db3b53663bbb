import { shellWord } from "@turnwire/runtime/process";
import { personalHome } from "./home.ts";
import type { CodexOptions } from "./options.ts";

export interface ThreadPlace {
  readonly providerSessionId: string;
  readonly cwd: string;
  /** Whether it is in Codex's archive, out of which it has to be taken first. */
  readonly isArchived?: boolean;
}

/** The command that resumes a thread in Codex's own program. */
export function resumeCommand(
  { providerSessionId, cwd, isArchived = false }: ThreadPlace,
  options: CodexOptions,
): string {
  const { home } = options;
  const codex = home === personalHome(options) ? "codex" : `CODEX_HOME=${shellWord(home)} codex`;
  return [
    `cd ${shellWord(cwd)}`,
    ...(isArchived ? [`${codex} unarchive ${providerSessionId}`] : []),
    `${codex} resume ${providerSessionId}`,
  ].join(" && ");
}
