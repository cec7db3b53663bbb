import type { Logger } from "@turnwire/base";
import type { ContainmentStatus } from "@turnwire/runtime/containment";
import type { ProcessRegistry, SupervisionLimits } from "@turnwire/runtime/process";
import type { RunDefaults } from "@turnwire/runtime";

// Part of the types of the package: nothing of the Agent SDK, whose types need others that strict projects lack.

export interface ClaudeRuntimeOptions {
  /** The model of sessions that name none; without it, the CLI's own choice. */
  readonly model?: string;
  /** Added to the CLI's environment, before what it inherits. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Which of the machine's Claude settings apply in every session. None by default: they run commands. A host adds
   * those of a project, `project` and `local`, where the working directory is trusted.
   */
  readonly settingSources?: readonly ("user" | "project" | "local")[];
  /** Hook events that a person decides about, such as `PreToolUse`; none by default, because each one waits. */
  readonly hookEvents?: readonly string[];
  /** What sessions are configured with unless they say otherwise. */
  readonly defaults?: RunDefaults;
  /** Keeps this many processes started ahead, so that a new session need not wait for one. */
  readonly warmProcesses?: number;
  /** Another CLI than the one that came with the SDK. */
  readonly executable?: string;
  /** Whether this machine contains commands; tried by default. */
  readonly containment?: ContainmentStatus;
  /** Paths that contained commands never see, such as those of the server's own secrets. */
  readonly privatePaths?: readonly string[];
  /** How long the CLI may take to start. */
  readonly startMs?: number;
  readonly registry?: ProcessRegistry;
  /** Gets what the CLI writes to stderr. */
  readonly logger?: Logger;
  readonly limits?: Partial<SupervisionLimits>;
}
