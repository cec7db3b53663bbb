import { lstat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { JsonObject } from "@turnwire/protocol";
import type { RunOptions } from "@turnwire/runtime";

/**
 * The settings that put a project's own files in force, or out of it, for one thread. Codex 0.166.0
 * would otherwise write `trust_level = "trusted"` into its config.toml for every thread that may write.
 */
export async function projectConfig({
  cwd,
  project,
}: Pick<RunOptions, "cwd" | "project">): Promise<JsonObject> {
  const level = project?.isTrusted ? "trusted" : "untrusted";
  // Codex looks up the trust of the repository, not only of the directory.
  const places = new Set([cwd, (await gitRoot(cwd)) ?? cwd]);
  const projects = Object.fromEntries(
    Array.from(places, (place) => [place, { trust_level: level }]),
  );
  // The digest covers the hooks: Codex need not ask for each of them again.
  if (project?.isTrusted) return { projects, bypass_hook_trust: true };
  return { projects, project_doc_max_bytes: 0, ...withoutSkills(project?.untrustedFiles) };
}

/** Codex offers a project's skills to the model whether or not it trusts the project. */
function withoutSkills(files: readonly string[] = []): JsonObject {
  const skills = files.filter((path) => basename(path) === "SKILL.md");
  if (skills.length === 0) return {};
  return { skills: { config: skills.map((path) => ({ path, enabled: false })) } };
}

async function gitRoot(cwd: string): Promise<string | undefined> {
  for (let place = cwd; ; place = dirname(place)) {
    if (await exists(join(place, ".git"))) return place;
    if (dirname(place) === place) return undefined;
  }
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
