import { type Clock, detach, type Logger } from "@turnwire/base";
import type { ChangeFeed } from "./loaded/change-feed.ts";
import { Policies } from "./policy/policies.ts";
import type { PolicyRuleStore } from "./policy/rule-store.ts";
import { createSharedPolicyRules } from "./policy/shared-policy-rules.ts";
import {
  Projects,
  createMemoryTrust,
  TrustedDirectories,
  worktreeRule,
  Worktrees,
} from "@turnwire/workspace";
import { sharingOf } from "@turnwire/log/list";
import { isInside } from "@turnwire/runtime/process";
import type { SessionHostOptions } from "./creation/session-host-options.ts";
import type { Session } from "../2-session/session.ts";

export interface PlacePorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly changes: ChangeFeed;
  /** The sessions that are loaded. */
  readonly sessions: () => Iterable<Session>;
  readonly onError: (error: unknown) => void;
}

/** Where a host's sessions work, and what may configure their agents there. */
export interface HostPlaces {
  /** Which directories may configure the agents that work in them. */
  readonly trust: TrustedDirectories;
  /** The directories in which sessions can be created. */
  readonly projects: Projects;
  /** The git worktrees that were made for sessions. */
  readonly worktrees: Worktrees;
  /** What decides what agents may do there. */
  readonly policy: Policies;
}

export function createPlaces(options: SessionHostOptions, ports: PlacePorts): HostPlaces {
  const { clock, logger, changes, onError } = ports;
  const trust = new TrustedDirectories({
    store: options.trust ?? createMemoryTrust(),
    runtimes: options.runtimes,
    ownRules: [worktreeRule],
    worktreeAround: (directory) => worktrees.around(directory),
    clock,
    onChanged: (path) => {
      changes.projectsChanged();
      detach(policy.trustChanged(path), onError);
      reconfigureInside(path, ports.sessions(), onError);
    },
    onError,
  });
  const projects = new Projects({
    trustOf: async (path) => (await trust.assess(path)).status,
    ...options.projects,
    roots: options.roots ?? [],
    clock,
    onChanged: () => changes.projectsChanged(),
    onError,
  });
  const worktrees = new Worktrees({
    ...options.worktrees,
    store: options.store,
    projects,
    trust,
    clock,
    logger,
    onError,
  });
  const policy = new Policies({
    ...options,
    policyRules: options.policyRules ?? sharedRules(options, ports),
    clock,
    assess: (cwd) => trust.assess(cwd),
    onError,
  });
  return { trust, projects, worktrees, policy };
}

/** Ends what follows changes of other hosts, or of git. */
export function closePlaces({ projects, trust, policy }: Omit<HostPlaces, "worktrees">): void {
  projects.close();
  trust.close();
  policy.close();
}

function sharedRules(
  { store }: SessionHostOptions,
  ports: PlacePorts,
): PolicyRuleStore | undefined {
  return store.isShared ? createSharedPolicyRules(sharingOf(store), ports) : undefined;
}

/** The trust of a directory has changed: idle agents in it end. Others take what is in force at their next turn. */
function reconfigureInside(
  path: string,
  sessions: Iterable<Session>,
  onError: (error: unknown) => void,
): void {
  for (const session of sessions) {
    const { cwd, worktree } = session.control.session;
    const repository = worktree?.repository;
    const isAffected =
      (cwd !== undefined && isInside(cwd, path)) ||
      // A worktree is trusted as the same place in its repository is.
      (repository !== undefined && (isInside(repository, path) || isInside(path, repository)));
    if (isAffected) detach(session.reconfigure(), onError);
  }
}
