import type { Capabilities } from "@turnwire/protocol";
import {
  containmentCapability,
  type ContainmentStatus,
  containmentStatus,
  type SessionContainment,
  sessionContainment,
} from "@turnwire/runtime/containment";
import { homedir } from "node:os";
import { join } from "node:path";
import { claudeEnvironment, type Environment } from "./environment.ts";

export interface ContainmentOptions extends Environment {
  /** Whether this machine contains commands; tried by default. */
  readonly containment?: ContainmentStatus;
  /** Paths that contained commands never see, such as those of the server's own secrets. */
  readonly privatePaths?: readonly string[];
}

/** Holds the commands of a session's CLI; undefined where this machine contains none. */
export function claudeContainment({
  env,
  containment = containmentStatus(),
  privatePaths = [],
}: ContainmentOptions): SessionContainment | undefined {
  const environment = claudeEnvironment(env);
  const { HOME: home = homedir(), CLAUDE_CONFIG_DIR: own = join(home, ".claude") } = environment;
  const agents = [own, join(home, ".claude.json"), join(home, ".codex")];
  const options = { env: environment, privatePaths: [...agents, ...privatePaths] };
  return sessionContainment(containment, options);
}

export function claudeContainmentCapability({
  containment = containmentStatus(),
}: ContainmentOptions): NonNullable<Capabilities["containment"]> {
  return containmentCapability(containment);
}
