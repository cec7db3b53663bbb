import type { Control, SessionEvent } from "@turnwire/protocol";
import { foldControl, initialControl } from "@turnwire/protocol";
import type { Clock } from "../1-runtime/clock.ts";
import type { RunOptions, Runtime } from "../1-runtime/runtime.ts";
import { EventLog } from "./event-log.ts";
import type { LoadedSession } from "./session-settings.ts";
import type { Lease, SessionRecord, Store } from "./store.ts";
import { readPages } from "./turn-list.ts";

export interface LoadOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly ringSize: number;
  readonly runtime: Runtime;
}

/** Folds a leased session's log into what decisions need. */
export async function loadSession(lease: Lease, options: LoadOptions): Promise<LoadedSession> {
  const { store, clock, ringSize, runtime } = options;
  const log = new EventLog({ store, lease, clock, ringSize });
  const control = await readControl(log, store);
  const { record } = lease;
  return { lease, log, control, runtime, runOptions: (current) => runOptions(record, current) };
}

async function readControl(log: EventLog, store: Store): Promise<Control> {
  const base = await store.readBase(log.sessionId);
  let control = base ? controlOf(base.state) : initialControl();
  for await (const page of readPages(log, log.head)) {
    for (const stored of page) {
      const event: SessionEvent = JSON.parse(stored.json);
      control = foldControl(control, event);
    }
  }
  return control;
}

/** A base state holds the whole conversation; only its control stays in memory. */
function controlOf(state: Control): Control {
  const { seq, session, turn, last_turn_id, queue, requests, outcomes, shared } = state;
  return { seq, session, turn, last_turn_id, queue, requests, outcomes, shared };
}

function runOptions(record: SessionRecord, control: Control): RunOptions {
  const { model, permission_mode: permissionMode, title } = control.session;
  const { provider_session_id: resume } = control.session;
  const { system_prompt: systemPrompt, params } = record.options;
  return {
    sessionId: record.sessionId,
    cwd: record.cwd,
    ...(model !== undefined && { model }),
    ...(permissionMode !== undefined && { permissionMode }),
    ...(title !== undefined && { title }),
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(params !== undefined && { params }),
    ...(resume !== undefined && { resume }),
  };
}
