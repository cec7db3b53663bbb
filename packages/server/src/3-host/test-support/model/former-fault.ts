import { type Act, type History, idleMs, requestTimeoutMs, type Step } from "./step.ts";

const message = { type: "message", session: 0, hasClientId: false, isHeld: false } as const;
const finish: Act = { type: "agent", run: 0, act: "finish" };

/** An act and the turns of the loop after it. */
function step(act: Act, turns = 0): Step {
  return { act, turns };
}

function historyOf(settings: Partial<History>, ...steps: readonly Step[]): History {
  return { sessions: 1, maxLiveRuns: 2, ...settings, steps };
}

/** Shortest histories that broke a promise once, as the model found them. */
export const formerFaults: readonly { readonly fault: string; readonly history: History }[] = [
  {
    fault: "a trim was still on its way when the lease was given back",
    history: historyOf({ retainEvents: 8 }, step(message)),
  },
  {
    fault: "a host that was closed while it recovered loaded sessions afterwards",
    history: historyOf(
      { sessions: 3 },
      step(message, 1),
      step({ type: "crash" }),
      step({ type: "restart" }),
    ),
  },
  {
    fault: "a turn that an agent began just before its eviction stayed open",
    history: historyOf(
      { sessions: 2 },
      step({ type: "wake", session: 1 }),
      step({ type: "create" }, 1),
      step({ ...message, session: 2 }),
      step(message, 1),
      step({ type: "agent", run: 0, act: "begin_turn" }),
    ),
  },
  {
    fault: "a question of an agent that was being closed stayed open in the archive",
    history: historyOf(
      {},
      step(message, 3),
      step(finish, 3),
      step({ type: "slow", call: "close" }),
      step({ type: "archive", session: 0 }, 2),
      step({ type: "agent", run: 0, act: "question_request" }),
    ),
  },
  {
    fault: "a request asked while the server closed left a timer behind",
    history: historyOf(
      { sessions: 2, maxLiveRuns: 1 },
      step({ ...message, session: 1 }, 2),
      step({ type: "restart" }),
      step({ type: "agent", run: 0, act: "permission_request" }),
    ),
  },
  {
    fault: "a snapshot folded during the release left a timer behind",
    history: historyOf(
      {},
      step({ type: "read", session: 0, isFromStart: false }),
      step({ type: "advance", ms: idleMs }),
    ),
  },
  {
    fault: "a message during the release was reported as a fault of the store",
    history: historyOf({}, step(message), step({ type: "advance", ms: idleMs })),
  },
  {
    fault: "readers saw an event after one whose commit had failed",
    history: historyOf(
      {},
      step(message),
      step({ type: "read", session: 0, isFromStart: true }, 1),
      step({ type: "fault", fault: { call: "append", kind: "fail_after", skip: 2 } }),
      step({ ...message, isHeld: true, delivery: "queue" }, 1),
      step({ type: "restart" }),
    ),
  },
  {
    fault: "a message and the agent itself began a turn in the same tick",
    history: historyOf(
      {},
      step({ ...message, isHeld: true }),
      step(finish, 2),
      step(finish),
      step(message, 1),
      step({ type: "agent", run: 0, act: "begin_turn" }),
    ),
  },
  {
    fault: "a copy of a trimmed session began inside a turn that was rolled back",
    history: historyOf(
      { retainEvents: 8 },
      step(message, 2),
      step({ type: "restart" }, 1),
      step({ type: "rollback", session: 0, turn: 0 }, 1),
      step(finish, 1),
      step({ type: "fork", session: 0 }),
    ),
  },
  {
    fault: "a request expired in the tick in which its turn ended",
    history: historyOf(
      {},
      step(message, 2),
      step({ type: "agent", run: 0, act: "tool_call_request" }, 2),
      step(finish, 1),
      step({ type: "advance", ms: requestTimeoutMs }),
    ),
  },
  {
    fault: "a message that was to steer got lost in the restart of the server",
    history: historyOf(
      {},
      step(message, 2),
      step({ ...message, delivery: "steer" }),
      step(finish, 1),
      step({ type: "restart" }),
    ),
  },
  {
    fault: "a copy whose source was deleted was reported as a fault of the close",
    history: historyOf(
      {},
      step({ type: "crash" }),
      step({ type: "fault", fault: { call: "append", kind: "delay", skip: 3 } }),
      step({ ...message, hasClientId: true }, 2),
      step({ type: "fork", session: 0 }, 1),
      step({ type: "delete", session: 0 }),
      step({ type: "restart" }, 1),
    ),
  },
  {
    fault: "a slot was not offered when a request outside of a turn was answered",
    history: historyOf(
      { maxLiveRuns: 1 },
      step({ type: "create" }),
      step({ type: "create" }, 1),
      step({ ...message, session: 2, hasClientId: true }),
      step({ ...message, hasClientId: true, delivery: "turn" }, 2),
      step({ type: "wake", session: 0 }),
      step({ type: "agent", run: 2, act: "finish" }),
      step({ type: "agent", run: 2, act: "hook_request" }),
    ),
  },
  {
    fault: "a message that came too late to steer waited for ever in the archive",
    history: historyOf(
      { maxLiveRuns: 1 },
      step(message),
      step({ type: "agent", run: 0, act: "speak" }, 3),
      step({ ...message, isHeld: true, delivery: "steer" }),
      step(finish),
      step({ type: "archive", session: 0 }),
      step(finish),
    ),
  },
  {
    fault: "a session that was being copied slept, woke and was trimmed under the copy",
    history: historyOf(
      { maxLiveRuns: 1, retainEvents: 8 },
      step({ ...message, delivery: "turn" }),
      step({ type: "agent", run: 0, act: "permission_request" }, 3),
      step({ type: "restart" }),
      step({ type: "agent", run: 0, act: "speak" }, 3),
      step({ type: "fault", fault: { call: "append", kind: "delay", skip: 0 } }),
      step({ type: "fork", session: 0 }),
      step({ type: "advance", ms: 10_000 }),
      step({ type: "advance", ms: 60_000 }),
      step({ type: "slow", call: "close" }, 10),
      step({ ...message, delivery: "turn" }, 3),
    ),
  },
  {
    fault: "a copy whose source broke and was trimmed meanwhile failed as a fault of the server",
    history: historyOf(
      { maxLiveRuns: 1, retainEvents: 8 },
      step({ type: "advance", ms: requestTimeoutMs }),
      step({ type: "fault", fault: { call: "append", kind: "delay", skip: 3 } }),
      step({ ...message, isHeld: true, delivery: "turn" }),
      step({ type: "fault", fault: { call: "append", kind: "fail", skip: 0 } }),
      step({ type: "advance", ms: 10_000 }, 2),
      step({ type: "fork", session: 0 }),
      step({ type: "read", session: 0, isFromStart: false }, 1),
      step(finish),
      step({ type: "slow", call: "compact" }, 2),
      step(message, 3),
      step({ type: "agent", run: 0, act: "speak" }),
    ),
  },
  {
    fault: "an unattended message found the budget used up, and its result was not looked at",
    history: historyOf(
      { maxLiveRuns: 1 },
      step({ type: "limit", session: 0 }),
      step({ ...message, delivery: "turn" }),
      step({ ...message, isUnattended: true }),
      step({ type: "slow", call: "start" }),
    ),
  },
  {
    fault: "a command that met a host which had lost its leases was taken for a fault of the host",
    history: historyOf(
      { maxLiveRuns: 1 },
      step({ ...message, isUnattended: true }),
      step({ type: "fault", fault: { call: "renewHolder", kind: "steal", skip: 0 } }),
      step({ type: "slow", call: "start" }),
      step(finish, 3),
      step({ type: "advance", ms: 10_000 }),
      step({ type: "compact", session: 0 }),
    ),
  },
  {
    fault: "a rollback during which the store failed looked for what was never stored, for ever",
    history: historyOf(
      { sessions: 3, maxLiveRuns: 1 },
      step({ ...message, session: 3, hasClientId: true, delivery: "queue" }, 2),
      step({ type: "crash" }, 1),
      step({ type: "fault", fault: { call: "append", kind: "fail_after", skip: 0 } }),
      step({ type: "rollback", session: 3, turn: 2 }, 1),
    ),
  },
];
