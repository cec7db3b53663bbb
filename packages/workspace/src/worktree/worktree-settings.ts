import { createHash } from "node:crypto";
import { join } from "node:path";
import { WorktreeSetup } from "@turnwire/protocol";
import { readInside, type ConfigurationRule } from "@turnwire/runtime/configuration";
import { jsonFrom } from "@turnwire/log/list";
import type { TrustedDirectories } from "../trust/trusted-directories.ts";

/** Where a project says how its worktrees are prepared; part of what trust looks at. */
const FILE = ".turnwire/worktree.json";
const MAX_BYTES = 64 * 1024;

export const worktreeRule: ConfigurationRule = {
  kind: "settings",
  path: FILE,
  reach: "root",
  canExecute: true,
  read: (text) => {
    const { copy, setup } = WorktreeSetup.parse(JSON.parse(text));
    return [
      ...(copy ? [{ name: "copy", detail: copy.join(", ") }] : []),
      ...(setup === undefined ? [] : [{ name: "setup", detail: setup, command: setup }]),
    ];
  },
};

export interface AppliedSetup extends WorktreeSetup {
  /** Whether something is configured that was left out, because it is not trusted. */
  readonly isSkipped: boolean;
}

/**
 * What applies to a worktree of a repository: the project's own file before the server's
 * configuration, and neither where the repository or what was checked out is not trusted.
 */
export async function setupFor(
  places: { readonly repository: string; readonly worktree: string },
  own: WorktreeSetup,
  trust: TrustedDirectories,
): Promise<AppliedSetup> {
  const path = join(places.repository, FILE);
  const content = await readInside(path, places.repository, MAX_BYTES);
  const [assessment, checkedOut] = await Promise.all([
    trust.assess(places.repository),
    trust.assess(places.worktree),
  ]);
  const isTrusted = [assessment, checkedOut].every(
    ({ status }) => status === "trusted" || status === "none",
  );
  const isConfigured = own.copy !== undefined || own.setup !== undefined;
  if (!isTrusted) return { isSkipped: isConfigured || content.type !== "missing" };
  if (content.type !== "text") return { ...own, isSkipped: false };
  const fingerprint = createHash("sha256").update(content.bytes).digest("hex");
  const isLookedAt = assessment.scan.covered.some(
    (file) => file.path === path && file.fingerprint === fingerprint,
  );
  const project = WorktreeSetup.safeParse(jsonFrom(content.bytes.toString("utf8")));
  if (!isLookedAt || !project.success) return { ...own, isSkipped: true };
  return {
    copy: [...(own.copy ?? []), ...(project.data.copy ?? [])],
    setup: project.data.setup ?? own.setup,
    isSkipped: false,
  };
}
