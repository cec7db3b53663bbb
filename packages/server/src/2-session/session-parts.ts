import { detach } from "@turnwire/base";
import { requestOf, type SessionEvent } from "@turnwire/protocol";
import type { Effect } from "./decide/effect.ts";
import { BudgetWatch } from "./watch/budget-watch.ts";
import { EffectDispatch } from "./watch/effect-dispatch.ts";
import { frontendToolTimeoutMs } from "./decide/frontend-tool-timeout.ts";
import { IdleWatch } from "./watch/idle-watch.ts";
import { InboxDrain, type InboxTarget } from "./inbox-drain.ts";
import { InputLedger } from "./record/input-ledger.ts";
import { Intake } from "./intake.ts";
import { ExternalTurns } from "./agent/external-turns.ts";
import { SessionGate } from "./policy/session-gate.ts";
import { Procedures } from "./procedure.ts";
import { Recorder } from "./record/recorder.ts";
import { RequestExpiry } from "./watch/request-expiry.ts";
import { Retention } from "./record/retention.ts";
import { SessionAgent } from "./agent/session-agent.ts";
import type { LoadedSession, SessionSettings } from "./session-settings.ts";
import { giveAgentBack, mayWork, staysHeld } from "./session-work.ts";
import { isMilestone } from "./record/session-record.ts";
import { configurationFrom } from "./decide/session-option.ts";
import { SnapshotFolder } from "./record/snapshot.ts";
import { SessionTrace } from "./trace/session-trace.ts";
import { transcriptPort } from "./agent/transcript-access.ts";
import { TurnStarter } from "./agent/turn-starter.ts";
import { CallbackSource } from "./ui/callback-source.ts";
import { SessionUi } from "./ui/session-ui.ts";

/** What a session's parts report to it. */
export interface SessionHooks {
  readonly isQuiet: () => boolean;
  readonly isLive: () => boolean;
  readonly perform: (effect: Effect) => Promise<void>;
  readonly onEffectFailed: (error: unknown) => void;
  readonly onCommitted: (events: readonly SessionEvent[], ms: number) => void;
  readonly onExpired: (requestId: string) => void;
  readonly onIdle: () => void;
  readonly onProcedureEnded: () => void;
  /** What carries out the commands that other hosts send. */
  readonly target: InboxTarget;
  /** The in-memory state no longer matches the store. */
  readonly onBroken: (error: unknown) => void;
}

/** The parts of one session, each knowing only those it needs. */
export function createParts(loaded: LoadedSession, settings: SessionSettings, hooks: SessionHooks) {
  const { lease, log, control, components, runtime, runOptions, configuration } = loaded;
  const { store, clock, onError } = settings;
  const snapshots = new SnapshotFolder(log, clock);
  const trace = new SessionTrace({ control, clock });
  const recorder = new Recorder({
    log,
    control,
    components,
    clock,
    runtime: runtime.name,
    requestTimeoutMs: settings.requestTimeoutMs,
    toolTimeoutMs: (toolName) => frontendToolTimeoutMs(loaded.creation().params, toolName),
    onCommitted: (events, ms) => {
      trace.commit(events, ms, recorder.control);
      hooks.onCommitted(events, ms);
      if (events.some(isMilestone)) budget.check();
    },
    onFailed: (error, ms) => {
      trace.fail(error, ms);
      hooks.onBroken(error);
    },
  });
  const { slots, interruptMs, retainEvents, idleMs, maxQueue } = settings;
  const gate = new SessionGate({ source: settings.policy, control: () => recorder.control });
  const ui = new SessionUi({
    control: () => recorder.control,
    flush: () => recorder.flush(),
    components,
  });
  const transcripts = transcriptPort(store, lease);
  const agent = new SessionAgent({
    runtime,
    recorder,
    slots,
    clock,
    interruptMs,
    returnMs: runtime.returnMs?.(configurationFrom(loaded.creation())),
    runOptions,
    configuration,
    gate,
    ui,
    transcripts,
    waitingCallbacks: components.waiting,
    onError,
  });
  const dispatch = new EffectDispatch({ perform: hooks.perform, onFailed: hooks.onEffectFailed });
  const budget = new BudgetWatch({ recorder, dispatch, clock, isLive: hooks.isLive });
  const retention = new Retention({ log, store, lease, snapshots, retainEvents, onError });
  const procedures = new Procedures({
    recorder,
    agent,
    store,
    retention,
    snapshots,
    components,
    onEnded: hooks.onProcedureEnded,
  });
  return {
    trace,
    recorder,
    agent,
    dispatch,
    procedures,
    externalTurns: new ExternalTurns({
      runtime,
      recorder,
      agent,
      store,
      retention,
      transcripts,
      clock,
      onError,
    }),
    snapshots,
    intake: new Intake({
      recorder,
      inputs: new InputLedger(store, log.sessionId),
      maxQueue,
      runtime,
      policy: settings.policy,
      gate,
      clock,
      ui,
      callbacks: new CallbackSource({
        control: () => recorder.control,
        components,
        state: () => snapshots.current(),
      }),
    }),
    turns: new TurnStarter({
      recorder,
      agent,
      dispatch,
      clock,
      budget,
      mayStart: () => hooks.isLive() && !procedures.isRunning && mayWork(settings, lease.record),
      onError,
    }),
    budget,
    expiry: new RequestExpiry({
      clock,
      request: (id) => requestOf(recorder.control, id),
      onExpired: hooks.onExpired,
    }),
    retention,
    inbox: new InboxDrain({
      store,
      lease,
      target: hooks.target,
      remove: (principal, choice) => settings.remove(log.sessionId, principal, choice),
      checkHandOver: () => settings.checkHandOver(log.sessionId),
      release: hooks.onIdle,
      onError,
    }),
    idle: new IdleWatch({
      clock,
      idleMs,
      isQuiet: hooks.isQuiet,
      onIdle: () => {
        if (!staysHeld(recorder.control, settings)) return hooks.onIdle();
        detach(giveAgentBack({ recorder, procedures, retention, agent }), onError);
      },
    }),
  };
}

/** No timer of the session fires any more. */
export function stopWatching({ idle, expiry, budget, snapshots }: SessionParts): void {
  for (const part of [idle, expiry, budget, snapshots]) part.stop();
}

export type SessionParts = ReturnType<typeof createParts>;
