import { randomUUID } from "node:crypto";
import { type Clock, defined } from "@turnwire/base";
import {
  accepted,
  type CatalogEntry,
  type CreateSession,
  draft,
  type EventData,
  type EventDraft,
  PROTOCOL_VERSION,
  rejected,
  type Result,
  type SessionState,
  type Worktree,
  type Principal,
} from "@turnwire/protocol";
import type { Lease, SessionRecord } from "@turnwire/log";
import type { Runtime, RuntimeCheck } from "@turnwire/runtime";
import type { SessionHostOptions } from "./session-host-options.ts";
import { awaitObjection } from "../../2-session/decide/runtime-objection.ts";
import { policyModeOf } from "../../2-session/decide/mode-choice.ts";
import type { PolicySource } from "../../2-session/policy/policy-source.ts";
import { SessionGate } from "../../2-session/policy/session-gate.ts";
import { newEntries } from "../../2-session/decide/catalog-check.ts";
import { configurationFrom, refuseOptions } from "../../2-session/decide/session-option.ts";
import type { SessionPlace } from "./admit-place.ts";

export interface CreationContext {
  readonly runtimes: ReadonlyMap<string, Runtime>;
  /** The runtime of sessions that name none. */
  readonly defaultRuntime: () => Promise<string>;
  /** Where the session works, when it may work there. */
  readonly admit: (cwd: string | undefined) => Promise<Result<SessionPlace>>;
  /** Whether its agent was started elsewhere and has dialled in: it needs nothing of this machine. */
  readonly isDialledIn?: boolean;
  readonly clock: Clock;
  readonly principal: Principal;
  readonly policy: PolicySource;
  /** The catalog that the host offers every session; the session's own entries take the place of those. */
  readonly catalog: readonly CatalogEntry[];
  /** The policy mode of sessions that name none. */
  readonly defaultPolicyMode: string | undefined;
}

/** A session that may be created, and what it will run on. */
export interface PlannedSession {
  readonly record: SessionRecord;
  readonly runtime: Runtime;
}

/** Checks everything about a new session before anything of it exists. */
export async function planSession(
  options: CreateSession,
  context: CreationContext,
): Promise<Result<PlannedSession>> {
  const name = options.runtime ?? (await context.defaultRuntime());
  const runtime = context.runtimes.get(name);
  if (!runtime) {
    const known = [...context.runtimes.keys()];
    return rejected("runtime_unknown", `There is no runtime ${name}.`, { runtimes: known });
  }
  const { principal, clock, isDialledIn = false } = context;
  const check: RuntimeCheck = isDialledIn ? { isAvailable: true } : await runtime.check();
  if (!check.isAvailable) {
    return rejected("runtime_unavailable", check.problem ?? `Runtime ${name} cannot be used here.`);
  }
  const refusal = refuseOptions(options, runtime.capabilities, principal.isAdmin);
  if (refusal) return refusal;
  const entries = newEntries(context.catalog, options.catalog ?? [], context.catalog);
  if (!entries.ok) return entries;
  const unavailable = await refuseSandbox(runtime, options);
  if (unavailable) return unavailable;
  const place = await context.admit(options.cwd);
  if (!place.ok) return place;
  const { capabilities } = runtime;
  const policyMode = await policyModeOf(options, {
    ...context,
    capabilities,
    cwd: place.value.cwd,
  });
  if (!policyMode.ok) return policyMode;
  const { permission_mode: permissionMode } = options;
  const { cwd } = place.value;
  const objection = await awaitObjection(() =>
    runtime.checkSession?.({
      ...configurationFrom(options),
      ...(permissionMode !== undefined && { permissionMode }),
      cwd,
      gate: new SessionGate({
        source: context.policy,
        id: "new",
        control: () => ({
          session: { ...defined({ policy_mode: policyMode.value }), ...place.value },
          turn: null,
        }),
      }),
    }),
  );
  if (objection !== undefined) return rejected("invalid_request", objection);
  const now = new Date(clock.now()).toISOString();
  const record: SessionRecord = {
    sessionId: options.session_id ?? randomUUID(),
    owner: principal.id,
    epoch: randomUUID(),
    runtime: name,
    options,
    status: "live",
    activity: "idle",
    ...(options.title !== undefined && { title: options.title }),
    ...(options.model !== undefined && { model: options.model }),
    ...(options.effort !== undefined && { effort: options.effort }),
    ...(options.permission_mode !== undefined && { permissionMode: options.permission_mode }),
    ...(policyMode.value !== undefined && { policyMode: policyMode.value }),
    ...place.value,
    createdAt: now,
    updatedAt: now,
    head: 0,
    trimmed: 0,
  };
  return accepted({ record, runtime });
}

/** A sandbox that was asked for is there, or there is no session. */
async function refuseSandbox(
  runtime: Runtime,
  { sandbox }: CreateSession,
): Promise<ReturnType<typeof rejected> | undefined> {
  if (!sandbox) return undefined;
  const none = `${runtime.label} has none here. Create the session without, or choose another runtime.`;
  const problem = runtime.capabilities.sandbox ? await runtime.sandboxProblem?.() : none;
  return problem === undefined ? undefined : rejected("sandbox_unavailable", `sandbox: ${problem}`);
}

/** How a session begins that does not begin empty. */
export interface Beginning {
  /** Called once the session may be created. */
  readonly past: (lease: Lease) => Promise<Past>;
  /** Whether it is a copy: then it may work where its source works. */
  readonly isCopy?: boolean;
  /** The worktree that a copy shares with its source. */
  readonly worktree?: Worktree;
  /** Whether its agent was started elsewhere and has dialled in. */
  readonly isDialledIn?: boolean;
}

/** What a host gives its sessions. A copy may have what its source has, also where the host has something else by now. */
export function defaultsFor(
  options: CreateSession,
  { catalog = [], defaultPolicyMode }: Pick<SessionHostOptions, "catalog" | "defaultPolicyMode">,
  beginning: Beginning | undefined,
): Pick<CreationContext, "catalog" | "defaultPolicyMode"> {
  return beginning?.isCopy
    ? { catalog: [], defaultPolicyMode: options.policy_mode ?? undefined }
    : { catalog, defaultPolicyMode };
}

/** What a copy or an import begins with, beside its first event. */
export interface Past {
  readonly origin: Origin;
  /** Stands for the events that retention has removed from the source. */
  readonly base?: SessionState;
  readonly history: Iterable<readonly EventDraft[]> | AsyncIterable<readonly EventDraft[]>;
}

/** Where a copy or an import comes from. */
type Origin = Pick<
  EventData<"session_ready">,
  "forked_from" | "provider_session_id" | "configuration"
>;

/** The first event of every log. */
export function readyEvent(
  { record, runtime }: PlannedSession,
  { origin, catalog }: { readonly origin?: Origin; readonly catalog: readonly CatalogEntry[] },
): EventDraft {
  return draft("session_ready", {
    session_id: record.sessionId,
    protocol_version: PROTOCOL_VERSION,
    runtime: runtime.name,
    ...(record.model !== undefined && { model: record.model }),
    ...(record.effort !== undefined && { effort: record.effort }),
    ...(record.permissionMode !== undefined && { permission_mode: record.permissionMode }),
    ...(record.policyMode !== undefined && { policy_mode: record.policyMode }),
    ...(record.title !== undefined && { title: record.title }),
    cwd: record.cwd,
    ...(record.worktree && { worktree: record.worktree }),
    ...(record.options.sandbox && {
      sandbox: { kind: "commands" as const, ...record.options.sandbox },
    }),
    // A copy gets its budget after its history.
    ...(record.options.budget && !origin?.forked_from && { budget: record.options.budget }),
    ...origin,
    ...(origin?.provider_session_id !== undefined && { resumed: true }),
    ...(catalog.length > 0 && { catalog: [...catalog] }),
    capabilities: runtime.capabilities,
  });
}
