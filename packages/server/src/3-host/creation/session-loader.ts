import {
  accepted,
  type CatalogEntry,
  type Control,
  controlOf,
  type CreateSession,
  extendedCatalog,
  foldControl,
  initialControl,
  type Result,
  type SessionEvent,
  type Worktree,
} from "@turnwire/protocol";
import type { Clock } from "@turnwire/base";
import {
  eventFrom,
  type ReadableLog,
  type Lease,
  type SessionRecord,
  type Store,
} from "@turnwire/log";
import { EventLog } from "@turnwire/log/event-log";
import { type RunOptions, type Runtime, RuntimeError } from "@turnwire/runtime";
import type { TrustedDirectories } from "@turnwire/workspace";
import { type Past, readyEvent } from "./session-creation.ts";
import { configurationFrom } from "../../2-session/decide/session-option.ts";
import { seedLog } from "./session-seed.ts";
import type { LoadedSession } from "../../2-session/session-settings.ts";
import { ComponentIndex } from "../../2-session/ui/component-index.ts";
import { readPages } from "../../2-session/decide/turn-list.ts";
import { configurationSource } from "../../2-session/agent/session-configuration.ts";
import type { Commit } from "../../2-session/record/session-log.ts";

export interface LoadOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly ringSize: number;
  readonly runtime: Runtime;
  /** Where a session works, when it still may. */
  readonly readmit: (cwd: string, worktree: Worktree | undefined) => Promise<Result<string>>;
  /** Which directories may configure agents. */
  readonly trust: TrustedDirectories;
  /** The components that can be shown in every new session. */
  readonly catalog: readonly CatalogEntry[];
  /** Called with the number of events of each committed batch. */
  readonly onAppended: (commit: Commit) => void;
}

/** Writes the beginning of a new session's log; `past` is what a copy or an import begins with. */
export async function beginSession(
  lease: Lease,
  options: LoadOptions,
  past?: Past,
): Promise<LoadedSession> {
  const { store, clock, runtime, trust } = options;
  const log = new EventLog({ ...options, lease });
  const applied = await configurationSource(runtime, trust).apply(lease.record.cwd);
  const origin = { ...past?.origin, ...(applied && { configuration: applied.configuration }) };
  // What a copy brings with it, or a client, stands before what the server has under the same name.
  const catalog = extendedCatalog(options.catalog, lease.record.options.catalog ?? []);
  const ready = readyEvent({ record: lease.record, runtime }, { origin, catalog });
  let { updatedAt } = lease.record;
  const onCommitted = (events: readonly SessionEvent[], ms: number) => {
    updatedAt = events.at(-1)?.ts ?? updatedAt;
    options.onAppended({ sessionId: lease.record.sessionId, events, ms });
  };
  const begun = await seedLog({ log, store, lease, clock, ready, past, onCommitted });
  const { isPartial: _, ...record } = lease.record;
  const seeded = { ...lease, record: { ...record, updatedAt } };
  return loadedSession({ lease: seeded, log, ...begun }, options);
}

/** Folds a leased session's log into what decisions need. */
export async function loadSession(lease: Lease, options: LoadOptions): Promise<LoadedSession> {
  // The process that created it died before its first event.
  if (lease.record.head === 0) return beginSession(lease, options);
  const log = new EventLog({ ...options, lease });
  return loadedSession({ lease, log, ...(await readLog(log, options.store)) }, options);
}

function loadedSession(
  parts: Pick<LoadedSession, "lease" | "log" | "control" | "components">,
  { runtime, readmit, trust }: LoadOptions,
): LoadedSession {
  let { record } = parts.lease;
  return {
    ...parts,
    runtime,
    runOptions: (control) =>
      runOptions(record, control, isGuest(runtime, record) ? asItIs : readmit),
    configuration: configurationSource(runtime, trust),
    creation: () => creationOf(record),
    setSystemPrompt: (systemPrompt) => {
      record = { ...record, systemPrompt };
    },
  };
}

async function readLog(
  log: ReadableLog,
  store: Store,
): Promise<Pick<LoadedSession, "control" | "components">> {
  const base = await store.readBase(log.sessionId);
  let control = base ? controlOf(base.state) : initialControl();
  const components = base ? ComponentIndex.from(base.state) : new ComponentIndex();
  for await (const page of readPages(log, log.head)) {
    for (const stored of page) {
      const event = eventFrom(log.sessionId, stored);
      control = foldControl(control, event);
      components.observe(event);
    }
  }
  return { control, components };
}

function creationOf({ options, systemPrompt }: SessionRecord): CreateSession {
  return systemPrompt === undefined ? options : { ...options, system_prompt: systemPrompt };
}

/** Whether its agent was started elsewhere: then it works where it works. */
function isGuest(runtime: Runtime, record: SessionRecord): boolean {
  return runtime.returnMs?.(configurationFrom(creationOf(record))) !== undefined;
}

function asItIs(cwd: string): Promise<Result<string>> {
  return Promise.resolve(accepted(cwd));
}

async function runOptions(
  record: SessionRecord,
  control: Control,
  readmit: LoadOptions["readmit"],
): Promise<RunOptions> {
  const { model, effort, permission_mode: permissionMode, title } = control.session;
  const { provider_session_id: resume } = control.session;
  const cwd = await readmit(record.cwd, record.worktree);
  if (!cwd.ok) {
    const { code, message } = cwd.error;
    const isElsewhere = code === "workspace_unavailable";
    throw new RuntimeError(isElsewhere ? "conversation_missing" : "not_available", message);
  }
  return {
    sessionId: record.sessionId,
    cwd: cwd.value,
    ...(model !== undefined && { model }),
    ...(effort !== undefined && { effort }),
    ...(permissionMode !== undefined && { permissionMode }),
    ...(title !== undefined && { title }),
    ...configurationFrom(creationOf(record)),
    ...(resume !== undefined && { resume }),
    ...(control.session.grants && {
      grants: control.session.grants.map(({ permission }) => permission),
    }),
  };
}
