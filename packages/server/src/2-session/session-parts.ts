import { detach } from "@turnwire/base";
import type { SessionEvent } from "@turnwire/protocol";
import { transcriptPort } from "./agent/transcript-access.ts";
import { agentFailure } from "./decide/settle.ts";
import { BudgetWatch } from "./watch/budget-watch.ts";
import { EffectDispatch } from "./watch/effect-dispatch.ts";
import { frontendToolTimeoutMs } from "./decide/frontend-tool-timeout.ts";
import { IdleWatch } from "./watch/idle-watch.ts";
import { InboxDrain, type InboxTarget } from "./inbox-drain.ts";
import { InputLedger } from "./record/input-ledger.ts";
import { Intake } from "./intake.ts";
import { checkProps } from "./evaluation/check-props.ts";
import { ExternalTurns } from "./agent/external-turns.ts";
import { SessionGate } from "./policy/session-gate.ts";
import { Procedures } from "./procedure.ts";
import { Recorder } from "./record/recorder.ts";
import { RequestExpiry } from "./watch/request-expiry.ts";
import { Retention } from "./record/retention.ts";
import { pastConversation } from "./agent/past-conversation.ts";
import { SessionAgent } from "./agent/session-agent.ts";
import type { LoadedSession, SessionSettings } from "./session-settings.ts";
import type { SessionLife } from "./session-life.ts";
import { SessionWork } from "./session-work.ts";
import { mayWork } from "./workspace.ts";
import { Steering } from "./agent/steering.ts";
import { isMilestone } from "./record/session-record.ts";
import { configurationFrom } from "./decide/session-option.ts";
import { SnapshotFolder } from "./record/snapshot.ts";
import { SessionTrace } from "./trace/session-trace.ts";
import { TurnStarter } from "./agent/turn-starter.ts";
import { CallbackSource } from "./ui/callback-source.ts";
import { SessionUi } from "./ui/session-ui.ts";

/** The session that the parts belong to. */
export interface SessionPlace {
  readonly loaded: LoadedSession;
  readonly settings: SessionSettings;
  readonly life: SessionLife;
}

/** Reports of a session's parts to it. */
export interface SessionHooks {
  readonly onCommitted: (events: readonly SessionEvent[], ms: number) => void;
  readonly onIdle: () => void;
  readonly onProcedureEnded: () => void;
  /** What carries out the commands that other hosts send. */
  readonly target: InboxTarget;
  /** The in-memory state no longer matches the store. */
  readonly onBroken: (error: unknown) => void;
}

/** The parts of one session, each knowing only those it needs. */
export function createParts({ loaded, settings, life }: SessionPlace, hooks: SessionHooks) {
  const { lease, log, control, components, runtime, runOptions, configuration } = loaded;
  const { store, clock, onError } = settings;
  const acceptsCommands = () => life.acceptsCommands;
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
      for (const event of events) expiry.observe(event);
      hooks.onCommitted(events, ms);
      if (events.some(isMilestone)) budget.check();
    },
    onFailed: (error, ms) => {
      trace.fail(error, ms);
      hooks.onBroken(error);
    },
  });
  const { slots, interruptMs, retainEvents, idleMs, maxQueue } = settings;
  const id = log.sessionId;
  const { policy, evaluator } = settings;
  const gate = new SessionGate({
    source: policy,
    control: () => recorder.control,
    id,
    evaluator,
  });
  const ui = new SessionUi({
    control: () => recorder.control,
    flush: () => recorder.flush(),
    components,
    checkProps: (entry, props) => checkProps(evaluator, id, { entry, props }),
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
    conversation: store.isShared
      ? undefined
      : async () => pastConversation(await snapshots.current()),
    waitingCallbacks: components.waiting,
    tasks: components.tasks,
    onError,
  });
  const steering = new Steering({ agent, recorder, hasEnded: () => life.hasEnded });
  const dispatch = new EffectDispatch({
    perform: (effect) =>
      effect.type === "steer" ? steering.deliver(effect) : agent.perform(effect),
    onFailed: (error) => {
      onError(error);
      // No caller waits for the effect: the conversation says so.
      if (life.acceptsCommands) recorder.record([agentFailure(error)]);
    },
  });
  const expiry = new RequestExpiry({ clock, recorder, dispatch, runtime, acceptsCommands });
  expiry.restore();
  const budget = new BudgetWatch({ recorder, dispatch, clock, acceptsCommands });
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
  const work = new SessionWork({
    recorder,
    procedures,
    retention,
    agent,
    isShared: store.isShared,
  });
  return {
    trace,
    recorder,
    agent,
    dispatch,
    steering,
    procedures,
    work,
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
      requestTimeoutMs: settings.requestTimeoutMs,
      catalog: settings.catalog,
      runtime,
      policy,
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
      mayStart: () => acceptsCommands() && !procedures.isRunning && mayWork(settings, lease.record),
      onError,
    }),
    budget,
    expiry,
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
      canHibernate: () => work.canHibernate,
      onIdle: () => {
        if (!work.mustStayLoaded) return hooks.onIdle();
        detach(work.hibernate(), onError);
      },
    }),
  };
}

/** No timer of the session fires any more. */
export function stopWatching({ idle, expiry, budget, snapshots }: SessionParts): void {
  for (const part of [idle, expiry, budget, snapshots]) part.stop();
}

export type SessionParts = ReturnType<typeof createParts>;
