import { defaultPolicy, type Policy } from "@turnwire/policy";
import type { PolicyFileInfo, PolicyLevel } from "@turnwire/protocol";

/** Where the policies of sessions come from. */
export interface PolicySource {
  /**
   * The policy in force at this moment for a session that works there, a person's own rules
   * included. Answers from memory, and with the last good one where a file is broken.
   */
  current(cwd: string): PolicyInForce;
  /** Reads what `current` needs to know of a directory; awaited before a session is created or its agent started there. */
  prepare?(cwd: string): Promise<void>;
  /** Notifies of every change of what `current` answers, until the returned function is called. */
  subscribe?(listener: () => void): () => void;
}

export interface PolicyInForce {
  readonly policy: Policy;
  /** Where each mode comes from; without it, those that are not built in are the server's own. */
  readonly levels?: ReadonlyMap<string, PolicyLevel>;
  /** The files that were found. */
  readonly files?: readonly PolicyFileInfo[];
  /** Modes that are not in the policy because a file that says something of them cannot be used. */
  readonly refused?: ReadonlyMap<string, RefusedMode>;
}

export interface RefusedMode {
  readonly level: PolicyLevel;
  /** Why, and what to do. */
  readonly problem: string;
}

let builtIn: PolicyInForce | undefined;

/** The modes that are built in, and nothing else. */
export function builtInPolicy(): PolicySource {
  builtIn ??= { policy: defaultPolicy() };
  const inForce = builtIn;
  return { current: () => inForce };
}
