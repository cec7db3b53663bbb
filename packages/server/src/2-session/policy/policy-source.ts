import { defaultPolicy, type Policy } from "@turnwire/policy";
import type { PolicyFileInfo, PolicyLevel, TrustStatus } from "@turnwire/protocol";

/** Where the policies of sessions come from. */
export interface PolicySource {
  /**
   * The policy in force at this moment for a session that works there, a person's own rules
   * included. Answers from memory, and with the last good one where a file is broken.
   */
  current(cwd: string): PolicyInForce;
  /**
   * Reads what `current` needs to know of a directory; awaited before a session is created or its
   * agent started there, and again when the trust of the directory has changed.
   */
  prepare?(cwd: string, lookAtProject?: () => Promise<ProjectPolicyFiles>): Promise<void>;
  /** Notifies of every change of what `current` answers, until the returned function is called. */
  subscribe?(listener: () => void): () => void;
  /** Called when the host closes. */
  close?(): void;
}

export interface PolicyInForce {
  readonly policy: Policy;
  /** Where each mode comes from; without it, those that are not built in are the server's own. */
  readonly levels?: ReadonlyMap<string, PolicyLevel>;
  /** The files that were found. */
  readonly files?: readonly PolicyFileInfo[];
}

/** The policy files of a project, and whether they may take effect. */
export interface ProjectPolicyFiles {
  readonly status: TrustStatus;
  /** When the trust was given that applies, or that no longer does. */
  readonly trustedAt: string | undefined;
  readonly files: readonly { readonly path: string; readonly fingerprint: string }[];
}

let builtIn: PolicyInForce | undefined;

/** The modes that are built in, and nothing else. */
export function builtInPolicy(): PolicySource {
  builtIn ??= { policy: defaultPolicy() };
  const inForce = builtIn;
  return { current: () => inForce };
}
