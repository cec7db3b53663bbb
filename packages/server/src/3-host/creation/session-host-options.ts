import type { Clock, Logger } from "@turnwire/base";
import type { Store } from "@turnwire/log";
import { type CatalogEntry, limits } from "@turnwire/protocol";
import type { Runtime } from "@turnwire/runtime";
import type { ProjectSettings, WorktreeSettings, TrustStore } from "@turnwire/workspace";
import type { Evaluator } from "../../2-session/evaluation/evaluator.ts";
import type { PolicySource } from "../../2-session/policy/policy-source.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { PolicyRuleStore } from "../policy/rule-store.ts";

export interface SessionHostOptions {
  readonly store: Store;
  /** Where acts of people are recorded; without it they are not. */
  readonly audit?: AuditLog;
  /** Names this host in the store, as the holder of its leases: one per process and boot; random by default. */
  readonly hostId?: string;
  /** How long after its last renewal its leases are good; 10 seconds where other hosts share the store. */
  readonly leaseMs?: number;
  /** Which directories this host sees, where others share the store: those that name the same see the same. The machine's name by default. */
  readonly storage?: string;
  /** For people who look at the hosts of a store; the machine's name by default. */
  readonly name?: string;
  /** Where people reach it, once that is known. */
  readonly url?: () => string | undefined;
  readonly runtimes: readonly Runtime[];
  /** The runtime of sessions that name none; without it the first that is connected, else a scripted one. */
  readonly defaultRuntime?: string;
  /** Directories in which agents may work; a session that names none works in the first. None by default: then sessions work in what admins add as projects. */
  readonly roots?: readonly string[];
  /** Projects beside the roots. */
  readonly projects?: ProjectSettings;
  /** Which directories may configure the agents that work in them; none that outlives the host by default. */
  readonly trust?: TrustStore;
  /** Where the modes and rules come from that decide what agents may do; the built-in modes by default. */
  readonly policy?: PolicySource;
  /** Judges tool calls and checks properties; by default in workers that all hosts of the process share. */
  readonly evaluator?: Evaluator;
  /** Where the policy rules that admins add are stored; by default in a store that several hosts share, else none outlives the host. */
  readonly policyRules?: PolicyRuleStore;
  /** The policy mode of sessions that name none; without it they have none. */
  readonly defaultPolicyMode?: string;
  /** The components that can be shown in every new session; none by default. */
  readonly catalog?: readonly CatalogEntry[];
  /** Git worktrees for sessions: where they are made, and how they are prepared. */
  readonly worktrees?: WorktreeSettings;
  readonly ringSize?: number;
  readonly idleMs?: number;
  /** How many agents this process runs at once; 16 by default. */
  readonly maxLiveRuns?: number;
  /** How many agents all hosts of the store run at once; give all of them the same. */
  readonly maxSharedRuns?: number;
  readonly maxQueue?: number;
  readonly interruptMs?: number;
  readonly requestTimeoutMs?: number;
  /** Keep only about this many events per session; older ones become a base state. */
  readonly retainEvents?: number;
  readonly clock?: Clock;
  /** Spreads what hosts that share the store would else do at the same moment; `Math.random` by default. */
  readonly random?: () => number;
  /** Where failures go that no caller waits for; the logger by default. */
  readonly onError?: (error: unknown) => void;
  /** What happens to sessions, for whoever runs the host. */
  readonly logger?: Logger;
}

/** The limits of every session, with their defaults. */
export function sessionLimits(options: SessionHostOptions) {
  const { retainEvents } = options;
  return {
    idleMs: options.idleMs ?? 300_000,
    interruptMs: options.interruptMs ?? 10_000,
    requestTimeoutMs: options.requestTimeoutMs ?? limits.requestTimeoutMs,
    maxQueue: options.maxQueue ?? limits.queueMessages,
    ...(retainEvents !== undefined && { retainEvents }),
  };
}
