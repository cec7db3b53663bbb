import { accepted, type Result, type Worktree, type Principal } from "@turnwire/protocol";
import { type Projects, openDirectory, type Worktrees } from "@turnwire/workspace";
import type { Beginning } from "./session-creation.ts";

/** Where a session works. */
export interface SessionPlace {
  readonly cwd: string;
  /** The worktree that it shares with the session it was made for. */
  readonly worktree?: Worktree;
}

/** The places that a server knows. */
interface KnownPlaces {
  readonly projects: Projects;
  readonly worktrees: Worktrees;
}

/** Who creates the session, and what it begins with. */
interface NewSession {
  readonly principal: Principal;
  readonly beginning: Beginning | undefined;
}

/** Where a new session may work: in a project, where its source works, or in a worktree that was made for another session. */
export async function admitPlace(
  requested: string | undefined,
  { projects, worktrees }: KnownPlaces,
  { principal, beginning }: NewSession,
): Promise<Result<SessionPlace>> {
  if (beginning?.isCopy && requested !== undefined) {
    return placed(await worktrees.readmit(requested, beginning.worktree), beginning.worktree);
  }
  // Where we may start agents is not a limit for one that an admin has started.
  if (beginning?.isDialledIn && principal.isAdmin && requested !== undefined) {
    return accepted({ cwd: requested });
  }
  const admitted = await projects.admit(requested, principal);
  if (admitted.ok || admitted.error.code !== "cwd_not_allowed" || requested === undefined) {
    return placed(admitted, beginning?.worktree);
  }
  const opened = await openDirectory(requested);
  const worktree = opened.ok ? await worktrees.around(opened.value, principal) : undefined;
  if (!opened.ok || !worktree) return admitted;
  const repository = await projects.admit(worktree.repository, principal);
  return repository.ok
    ? placed(await worktrees.readmit(opened.value, worktree), worktree)
    : admitted;
}

function placed(cwd: Result<string>, worktree: Worktree | undefined): Result<SessionPlace> {
  return cwd.ok ? accepted({ cwd: cwd.value, ...(worktree && { worktree }) }) : cwd;
}
