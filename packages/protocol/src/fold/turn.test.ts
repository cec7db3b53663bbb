import { describe, expect, test } from "vitest";
import { draft, type EventData, fold, foldAll, initialState, textOf } from "../index.ts";
import {
  agentMessages,
  begun,
  blocksOf,
  delta,
  done,
  logOf,
  ready,
  userMessage,
  started,
  stateAfter,
  toolStarted,
} from "../test-support/log.ts";

function result(facts: Partial<EventData<"result">> = {}) {
  const data = { turn_id: "t1", subtype: "success", is_error: false, ...facts };
  return draft("result", data, { turn_id: data.turn_id });
}

const inSecond = { turn_id: "t2" };
const second = [
  done("t1"),
  userMessage("u2", "turn"),
  started("t2", "u2"),
  delta("B", "m2", inSecond),
];

describe("what comes late for a turn that showed nothing", () => {
  const late = draft("thinking", { message_id: "m0", text: "hm" }, { turn_id: "t0" });
  const log = logOf([
    ready,
    started("t0"),
    done("t0"),
    userMessage("u1", "turn"),
    started("t1", "u1"),
    toolStarted("x"),
    late,
    delta("still at it", "m1"),
    done("t1"),
  ]);

  test("hides nothing of the turn it stands in: its tools end with it", () => {
    const state = foldAll(initialState(), log);
    const tools = agentMessages(state).flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.type === "tool" ? [block.status] : [])),
    );
    expect(tools).toEqual(["abandoned"]);
    expect(agentMessages(state).filter((message) => !message.done)).toEqual([]);
  });

  test("gives the same activity live and replayed, for every prefix", () => {
    for (let length = 1; length <= log.length; length += 1) {
      const prefix = log.slice(0, length);
      expect(foldAll(initialState(), prefix)).toEqual(prefix.reduce(fold, initialState()));
    }
  });
});

describe("a user message", () => {
  test("is shown at once, and belongs to its turn when that starts", () => {
    const [accepted] = foldAll(initialState(), logOf(begun.slice(0, 2))).messages;
    expect(accepted).toEqual({
      role: "user",
      id: "u1",
      seq: 2,
      ts: "2026-11-15T00:00:00.002Z",
      content: [{ type: "text", text: "hi" }],
      delivery: "turn",
    });
    expect(stateAfter().messages).toEqual([{ ...accepted, turn_id: "t1" }]);
  });

  test("keeps the sender and the sender's own id", () => {
    const mine = userMessage("u2", "steer");
    const sender = { client_message_id: "c1", by: "someone" };
    const state = stateAfter({ ...mine, data: { ...mine.data, ...sender } });
    expect(state.messages.at(-1)).toMatchObject({ id: "u2", ...sender });
  });

  test("that waits in the queue is not shown before its turn starts", () => {
    const waiting = stateAfter(userMessage("u2", "queue", "later"));
    expect(waiting.messages).toHaveLength(1);
    expect(waiting.queue).toHaveLength(1);
    const running = stateAfter(
      userMessage("u2", "queue", "later"),
      done("t1"),
      started("t2", "u2"),
    );
    expect(running.queue).toEqual([]);
    expect(running.messages.at(-1)).toMatchObject({
      id: "u2",
      seq: 4,
      ts: "2026-11-15T00:00:00.004Z",
      turn_id: "t2",
    });
  });

  test("that is cancelled leaves the queue, and the conversation where it was shown", () => {
    const cancelled = draft("message_cancelled", { message_id: "u2", by: "someone" });
    const queued = stateAfter(userMessage("u2", "queue"), userMessage("u3", "queue"), cancelled);
    expect(queued.queue.map(({ message_id }) => message_id)).toEqual(["u3"]);
    const shown = stateAfter(done("t1"), userMessage("u2", "turn"), cancelled);
    expect(shown.messages.map(({ id }) => id)).toEqual(["u1"]);
    expect(shown.activity.kind).toBe("idle");
  });

  test("that came too late to steer leaves its turn and waits for one of its own", () => {
    const content = [{ type: "text" as const, text: "later" }];
    const deferred = draft("message_deferred", { message_id: "u2", content });
    const waiting = stateAfter(userMessage("u2", "steer"), done("t1"), deferred);
    expect(waiting.messages.map(({ id }) => id)).toEqual(["u1"]);
    expect(waiting.queue).toMatchObject([{ message_id: "u2", delivery: "queue", content }]);
    const begun = stateAfter(userMessage("u2", "steer"), done("t1"), deferred, started("t2", "u2"));
    expect(begun.queue).toEqual([]);
    expect(begun.messages.at(-1)).toMatchObject({ role: "user", id: "u2", turn_id: "t2" });
  });

  test("whose turn has begun cannot be cancelled any more: the state stays", () => {
    const before = stateAfter();
    const after = stateAfter(draft("message_cancelled", { message_id: "u1" }));
    expect(after).toEqual({ ...before, seq: before.seq + 1 });
  });

  test("that steers closes what the agent was writing, and belongs to the running turn", () => {
    const state = stateAfter(delta("one"), userMessage("u2", "steer"), delta("two"));
    expect(state.messages).toMatchObject([
      { role: "user", id: "u1" },
      { role: "agent", done: true, turn_id: "t1" },
      { role: "user", id: "u2", turn_id: "t1" },
      { role: "agent", done: false, turn_id: "t1" },
    ]);
  });
});

describe("a turn", () => {
  test("that the runtime starts by itself closes what was open before", () => {
    const state = stateAfter(done("t1"), delta("idle talk", "m2", {}), started("t2"));
    expect(agentMessages(state)).toMatchObject([{ done: true }]);
    expect(state.turn).toMatchObject({ turn_id: "t2" });
  });

  test("closes its message when it is done", () => {
    const state = stateAfter(delta("bye"), done("t1"), delta("more", "m2", {}));
    expect(agentMessages(state)).toMatchObject([{ done: true }, { done: false }]);
  });

  test("that a person stopped says so, also when the agent had said nothing", () => {
    const stopped = draft("done", { turn_id: "t1", stopped: true }, { turn_id: "t1" });
    const spoken = stateAfter(delta("I was"), stopped);
    expect(agentMessages(spoken)).toMatchObject([{ stopped: true, done: true }]);
    const silent = stateAfter(stopped);
    expect(agentMessages(silent)).toMatchObject([{ stopped: true, done: true, blocks: [] }]);
  });

  test("that ended in silence leaves no message", () => {
    expect(agentMessages(stateAfter(done("t1")))).toEqual([]);
  });
});

describe("a result", () => {
  test("is kept with the message, its text only where the agent said nothing", () => {
    const spoken = stateAfter(delta("Hello"), result({ text: "Hello" }));
    expect(agentMessages(spoken)).toMatchObject([{ result: { text: "Hello" }, done: false }]);
    expect(agentMessages(spoken).map(textOf)).toEqual(["Hello"]);
    const silent = stateAfter(toolStarted("x"), result({ text: "Done" }));
    expect(blocksOf(silent)).toMatchObject([{ type: "tool" }, { type: "text", text: "Done" }]);
    const empty = stateAfter(result({ text: "" }));
    expect(agentMessages(empty)).toMatchObject([{ blocks: [], result: { subtype: "success" } }]);
  });

  test("does not repeat text that a steering message has cut off", () => {
    const state = stateAfter(delta("Hello"), userMessage("u2", "steer"), result({ text: "Hello" }));
    expect(agentMessages(state).map(textOf)).toEqual(["Hello", ""]);
  });

  test("that comes late stays under its turn", () => {
    const state = stateAfter(delta("A"), ...second, result({ text: "A" }));
    expect(agentMessages(state)).toMatchObject([{ result: { text: "A" } }, { turn_id: "t2" }]);
    expect(agentMessages(state)[1]).not.toHaveProperty("result");
  });

  test("of a sub-agent says nothing of the turn", () => {
    const state = stateAfter({ ...result({ text: "inner" }), subagent_id: "sub" });
    expect(agentMessages(state)).toEqual([]);
  });
});

describe("a rollback", () => {
  const rolledBack = (turn_id: string) => draft("rolled_back", { turn_id });

  test("takes away the messages of its turn and all later ones", () => {
    const both = [delta("A"), ...second, done("t2")];
    expect(stateAfter(...both, rolledBack("t2")).messages.map(({ id }) => id)).toEqual([
      "u1",
      "agent-4",
    ]);
    expect(stateAfter(...both, rolledBack("t1")).messages).toEqual([]);
  });

  test("of an unknown turn takes nothing away", () => {
    const state = stateAfter(delta("A"), done("t1"), rolledBack("t9"));
    expect(state.messages).toHaveLength(2);
  });

  test("leaves what was said since and waits for its turn", () => {
    const state = stateAfter(delta("A"), done("t1"), userMessage("u2", "turn"), rolledBack("t1"));
    expect(state.messages).toMatchObject([{ id: "u2" }]);
    const events = logOf([
      ...begun,
      done("t1"),
      userMessage("u2", "turn"),
      rolledBack("t1"),
      started("t2", "u2"),
    ]);
    expect(events.reduce(fold, initialState()).messages).toMatchObject([
      { id: "u2", turn_id: "t2" },
    ]);
  });
});
