import {
  type CatalogEntry,
  type Control,
  draft,
  type EventDraft,
  noCapabilities,
} from "@turnwire/protocol";
import { defaultPolicy } from "@turnwire/policy";
import { describe, expect, test } from "vitest";
import { decide, type DecidedCommand, type Decision } from "./decide.ts";
import {
  controlAfter,
  everyCapability,
  messageOf,
  openRequestDrafts,
  readyWith,
  runningTurn,
} from "../test-support/control.ts";

const policy = defaultPolicy();

const context = {
  by: "ann",
  isAdmin: false,
  messageId: "new",
  maxQueue: 2,
  requestTimeoutMs: 60_000,
  now: 0,
  policy,
  /** There is a card `c`, whose callbacks prompt, and a list `l`, whose callbacks wait. */
  componentName: (id: string) => ({ c: "card", l: "list" })[id],
};
const list: CatalogEntry = {
  name: "list",
  description: "A list.",
  props_schema: {},
  surfaces: ["chat"],
  callbacks: "next_turn",
};
const ready = readyWith(everyCapability, [list]);

const states = {
  idle: controlAfter(ready),
  running: controlAfter(ready, ...runningTurn),
  /** A turn runs and one message waits behind it. */
  queued: controlAfter(ready, ...runningTurn, messageOf("m2")),
  /** A message waits and its turn has not started yet. */
  due: controlAfter(ready, messageOf("m2")),
  asked: controlAfter(ready, ...runningTurn, openRequestDrafts.permission),
  archived: controlAfter(ready, draft("session_updated", { status: "archived" })),
  closed: controlAfter(ready, draft("session_closed", { reason: "deleted" })),
} satisfies Record<string, Control>;

/** A decision in one line: the events, then what the agent is asked to do; or the reason for refusing. */
function summary(decision: Decision): string {
  if (!decision.ok) return decision.error.code;
  const events = decision.events.map(eventSummary);
  const effects = decision.effects.map(({ type }) => `>${type}`);
  return [...events, ...effects].join(" ") || "nothing";
}

function eventSummary(event: EventDraft): string {
  switch (event.type) {
    case "user_message":
      return `message:${event.data.delivery}`;
    case "session_updated":
      return `updated:${event.data.status ?? "setting"}`;
    case "permission_resolved":
    case "question_resolved":
    case "hook_resolved":
    case "interrupt_resolved":
    case "tool_call_resolved":
      return `${event.type.replace("_resolved", "")}:${event.data.outcome}`;
    default:
      return event.type;
  }
}

type Row = Record<keyof typeof states, string>;

const gone = { archived: "session_archived", closed: "session_not_found" };
/** The same answer whatever the session does, except that it is there and not archived. */
function always(outcome: string): Row {
  return {
    idle: outcome,
    running: outcome,
    queued: outcome,
    due: outcome,
    asked: outcome,
    ...gone,
  };
}

const commands: Record<string, { readonly command: DecidedCommand; readonly row: Row }> = {
  message: {
    command: { type: "user_message", content: "hi" },
    row: {
      idle: "message:turn",
      running: "message:queue",
      queued: "message:queue",
      due: "message:queue",
      asked: "message:queue",
      ...gone,
    },
  },
  "message for a turn of its own": {
    command: { type: "user_message", content: "hi", delivery: "turn" },
    row: {
      idle: "message:turn",
      running: "turn_running",
      queued: "turn_running",
      due: "turn_running",
      asked: "turn_running",
      ...gone,
    },
  },
  "message for the queue": {
    command: { type: "user_message", content: "hi", delivery: "queue" },
    row: {
      idle: "message:turn",
      running: "message:queue",
      queued: "message:queue",
      due: "message:queue",
      asked: "message:queue",
      ...gone,
    },
  },
  review: {
    command: {
      type: "user_message",
      content: "/review branch main",
      review: { type: "base_branch", branch: "main" },
    },
    row: {
      idle: "message:turn",
      running: "message:queue",
      queued: "message:queue",
      due: "message:queue",
      asked: "message:queue",
      ...gone,
    },
  },
  "review that would join a turn": {
    command: {
      type: "user_message",
      content: "/review",
      delivery: "steer",
      review: { type: "uncommitted_changes" },
    },
    row: always("invalid_request"),
  },
  "message that steers": {
    command: { type: "user_message", content: "hi", delivery: "steer" },
    row: {
      idle: "turn_not_running",
      running: "message:steer >steer",
      queued: "message:steer >steer",
      due: "turn_not_running",
      asked: "message:steer >steer",
      ...gone,
    },
  },
  steer: {
    command: { type: "steer", content: "hi" },
    row: {
      idle: "turn_not_running",
      running: "message:steer >steer",
      queued: "message:steer >steer",
      due: "turn_not_running",
      asked: "message:steer >steer",
      ...gone,
    },
  },
  "cancellation of the waiting message": {
    command: { type: "cancel_message", message_id: "m2" },
    row: {
      idle: "not_found",
      running: "not_found",
      queued: "message_cancelled",
      due: "message_cancelled",
      asked: "not_found",
      ...gone,
    },
  },
  "cancellation of the running message": {
    command: { type: "cancel_message", message_id: "m1" },
    row: {
      idle: "not_found",
      running: "turn_running",
      queued: "turn_running",
      due: "not_found",
      asked: "turn_running",
      ...gone,
    },
  },
  interrupt: {
    command: { type: "interrupt" },
    row: {
      idle: "nothing",
      running: ">interrupt",
      queued: ">interrupt",
      due: "nothing",
      asked: "permission:cancelled >interrupt",
      ...gone,
    },
  },
  answer: {
    command: { type: "permission_response", correlation_id: "r1", behavior: "allow" },
    row: {
      idle: "request_not_found",
      running: "request_not_found",
      queued: "request_not_found",
      due: "request_not_found",
      asked: "permission:answered >answer",
      ...gone,
    },
  },
  "claim of a tool call": {
    command: { type: "tool_call_claim", correlation_id: "r1", claim_id: "p1" },
    row: { ...always("request_not_found"), asked: "invalid_request" },
  },
  "component callback": {
    command: { type: "component_callback", component_id: "c", action: "click", payload: {} },
    row: {
      idle: "component_callback message:turn",
      running: "component_callback message:queue",
      queued: "component_callback message:queue",
      due: "component_callback message:queue",
      asked: "component_callback message:queue",
      ...gone,
    },
  },
  "callback for the next turn": {
    command: { type: "component_callback", component_id: "l", action: "click", payload: {} },
    row: always("component_callback >component_callback"),
  },
  "callback of a component that is not there": {
    command: { type: "component_callback", component_id: "x", action: "click", payload: {} },
    row: always("component_gone"),
  },
  "an entry for the catalog": {
    command: {
      type: "add_to_catalog",
      entries: [{ name: "card", description: "A card.", props_schema: {}, surfaces: ["chat"] }],
    },
    row: always("catalog_updated >catalog_updated"),
  },
  "a component from outside": {
    command: { type: "show_component", component_id: "c", name: "card", surface: "panel" },
    row: always("component_update"),
  },
  "a new component without a name": {
    command: { type: "show_component", component_id: "c", surface: "panel" },
    row: always("invalid_request"),
  },
  "a new component without a surface": {
    command: { type: "show_component", component_id: "c", name: "card" },
    row: always("invalid_request"),
  },
  "removal of a component that is not there": {
    command: { type: "remove_component", component_id: "c" },
    row: always("nothing"),
  },
  "a question of a program": {
    command: {
      type: "ask",
      interrupt_id: "p1",
      component_name: "approval",
      props: { action: "deploy" },
      surface: "chat",
    },
    row: always("interrupt"),
  },
  "a question of a program without a surface": {
    command: { type: "ask", interrupt_id: "p1", component_name: "approval" },
    row: always("invalid_request"),
  },
  "state patch": {
    command: { type: "state_patch", patches: [{ op: "add", path: "", value: { n: 1 } }] },
    row: always("state_delta >shared_state"),
  },
  "state patch that does not apply": {
    command: { type: "state_patch", patches: [{ op: "remove", path: "/n" }] },
    row: always("invalid_request"),
  },
  "state patch for another version": {
    command: {
      type: "state_patch",
      patches: [{ op: "add", path: "", value: { n: 1 } }],
      base_version: 7,
    },
    row: always("stale_state"),
  },
  model: {
    command: { type: "set_model", model: "large" },
    row: always("updated:setting >set_model"),
  },
  effort: {
    command: { type: "set_effort", effort: "high" },
    row: always("updated:setting >set_effort"),
  },
  budget: {
    command: { type: "set_budget", budget: { turns: 3 } },
    row: always("updated:setting"),
  },
  "permission mode": {
    command: { type: "set_permission_mode", mode: "default" },
    row: always("updated:setting >set_permission_mode"),
  },
  "policy mode": {
    command: { type: "set_policy_mode", mode: "planner" },
    row: always("updated:setting"),
  },
  "revocation of what was not granted": {
    command: { type: "revoke_permission", grant_id: "g" },
    row: always("nothing"),
  },
  "stop of a task": {
    command: { type: "stop_task", task_id: "k" },
    row: always(">stop_task"),
  },
  "question about the context": {
    command: { type: "read_context" },
    row: always(">read_context"),
  },
  "reconnection of an MCP server": {
    command: { type: "reconnect_mcp_server", server_name: "files" },
    row: always(">reconnect_mcp_server"),
  },
  rename: {
    command: { type: "rename", title: "new" },
    row: { ...always("updated:setting >rename"), archived: "updated:setting >rename" },
  },
  archive: {
    command: { type: "archive" },
    row: {
      idle: "updated:archived >close_run >set_archived",
      running: "turn_running",
      queued: "turn_running",
      due: "turn_running",
      asked: "turn_running",
      archived: "nothing",
      closed: "session_not_found",
    },
  },
  unarchive: {
    command: { type: "unarchive" },
    row: { ...always("nothing"), archived: "updated:hibernated >set_archived" },
  },
};

describe("every command in every state", () => {
  test.each(Object.entries(commands))("%s", (_name, { command, row }) => {
    const decided = Object.fromEntries(
      Object.entries(states).map(([state, control]) => [
        state,
        summary(decide(control, command, context)),
      ]),
    );
    expect(decided).toEqual(row);
  });

  test("the table has every command that is decided, answers aside", () => {
    const types = Object.values(commands).map(({ command }) => command.type);
    expect(new Set(types)).toEqual(new Set(everyDecided));
  });
});

/** The compiler keeps this list whole; the other answers have a table in answer.test.ts. */
const everyDecided = Object.keys({
  user_message: true,
  steer: true,
  cancel_message: true,
  interrupt: true,
  permission_response: true,
  tool_call_claim: true,
  component_callback: true,
  show_component: true,
  remove_component: true,
  ask: true,
  state_patch: true,
  set_model: true,
  set_effort: true,
  set_permission_mode: true,
  set_policy_mode: true,
  set_budget: true,
  revoke_permission: true,
  add_to_catalog: true,
  stop_task: true,
  read_context: true,
  reconnect_mcp_server: true,
  rename: true,
  archive: true,
  unarchive: true,
} satisfies Record<Exclude<DecidedCommand["type"], OtherAnswer>, true>);

type OtherAnswer =
  | "budget_response"
  | "question_response"
  | "hook_response"
  | "interrupt_response"
  | "tool_call_response";

const image = {
  type: "image",
  source: { type: "base64", media_type: "image/png", data: "" },
} as const;
const document = {
  type: "document",
  source: { type: "base64", media_type: "application/pdf", data: "" },
} as const;

describe("what a runtime cannot do is refused, with the capability by name", () => {
  const running = [...runningTurn, openRequestDrafts.permission];
  test.each<[string, DecidedCommand]>([
    ["images", { type: "user_message", content: [image] }],
    ["documents", { type: "user_message", content: [document] }],
    ["steer", { type: "steer", content: "hi" }],
    ["interrupt", { type: "interrupt" }],
    [
      "edit_tool_input",
      {
        type: "permission_response",
        correlation_id: "r1",
        behavior: "allow",
        updated_input: { command: "rm" },
      },
    ],
    ["components", { type: "component_callback", component_id: "l", action: "a", payload: {} }],
    ["shared_state", { type: "state_patch", patches: [{ op: "add", path: "", value: 1 }] }],
    ["set_model", { type: "set_model", model: null }],
    ["set_effort", { type: "set_effort", effort: "high" }],
    ["set_permission_mode", { type: "set_permission_mode", mode: "default" }],
    ["tool_policy", { type: "set_policy_mode", mode: "planner" }],
    ["revoke_permissions", { type: "revoke_permission", grant_id: "g" }],
    ["stop_task", { type: "stop_task", task_id: "k" }],
    [
      "review",
      { type: "user_message", content: "/review", review: { type: "uncommitted_changes" } },
    ],
    ["context_usage", { type: "read_context" }],
    ["reconnect_mcp", { type: "reconnect_mcp_server", server_name: "files" }],
  ])("%s", (capability, command) => {
    const without = controlAfter(
      readyWith({ ...everyCapability, [capability]: false }, [list]),
      ...running,
    );
    expect(decide(without, command, context)).toMatchObject({
      ok: false,
      error: { code: "capability_missing", details: { capability } },
    });
    expect(decide(controlAfter(ready, ...running), command, context).ok).toBe(true);
  });

  test("a runtime that can do nothing still takes messages, names and the archive", () => {
    const bare = controlAfter(readyWith(noCapabilities));
    const taken = (["message", "rename", "archive", "unarchive", "interrupt"] as const).map(
      (name) => {
        const row = commands[name];
        return row && decide(bare, row.command, context).ok;
      },
    );
    expect(taken).toEqual([true, true, true, true, true]);
  });
});

test("a review is refused while a policy mode is in force", () => {
  const held = controlAfter(ready, draft("session_updated", { policy_mode: "planner" }));
  const review = { type: "uncommitted_changes" } as const;
  expect(decide(held, { type: "user_message", content: "/review", review }, context)).toMatchObject(
    {
      ok: false,
      error: { code: "forbidden" },
    },
  );
});

describe("the queue", () => {
  const queueOf = (count: number) =>
    controlAfter(
      ready,
      ...runningTurn,
      ...Array.from({ length: count }, (_, index) => messageOf(`q${index}`)),
    );

  test.each([
    [0, "message:queue"],
    [1, "message:queue"],
    [2, "queue_full"],
    [3, "queue_full"],
  ])("with %i messages waiting and room for two: %s", (count, outcome) => {
    const decision = decide(queueOf(count), { type: "user_message", content: "hi" }, context);
    expect(summary(decision)).toBe(outcome);
  });

  test("has room for so many bytes too, but always for one message", () => {
    const large = "x".repeat(5_000_000);
    const busy = controlAfter(ready, ...runningTurn);
    const roomy = { ...context, maxQueue: 100 };
    const first = decide(busy, { type: "user_message", content: large.repeat(3) }, roomy);
    expect(summary(first)).toBe("message:queue");
    const waiting = controlAfter(ready, ...runningTurn, messageOf("q0", large));
    expect(summary(decide(waiting, { type: "user_message", content: "hi" }, roomy))).toBe(
      "message:queue",
    );
    const second = decide(waiting, { type: "user_message", content: large }, roomy);
    expect(second).toMatchObject({
      ok: false,
      error: { code: "queue_full", details: { limit_bytes: 8_388_608 } },
    });
  });

  test("a full queue still takes what joins the running turn", () => {
    const decision = decide(queueOf(2), { type: "steer", content: "hi" }, context);
    expect(summary(decision)).toBe("message:steer >steer");
  });
});

describe("permission modes", () => {
  test.each([
    ["default", false, "updated:setting >set_permission_mode"],
    ["bypass", false, "forbidden"],
    ["bypass", true, "updated:setting >set_permission_mode"],
    ["locked", true, "forbidden"],
    ["unknown", true, "invalid_request"],
    ["constructor", true, "invalid_request"],
  ])("%s, asked for by an admin: %s", (mode, isAdmin, outcome) => {
    const command = { type: "set_permission_mode", mode } as const;
    expect(summary(decide(states.idle, command, { ...context, isAdmin }))).toBe(outcome);
  });
});

describe("what a decided message carries", () => {
  test("the sender's id and context, the fresh message id and who sent it", () => {
    const command = {
      type: "user_message",
      content: "hi",
      client_message_id: "c1",
      context: { page: 1 },
    } as const;
    expect(decide(states.idle, command, context)).toEqual({
      ok: true,
      effects: [],
      events: [
        draft("user_message", {
          message_id: "new",
          client_message_id: "c1",
          context: { page: 1 },
          content: [{ type: "text", text: "hi" }],
          delivery: "turn",
          by: "ann",
        }),
      ],
    });
  });

  test("a steer names the turn that it joins, in the event and for the agent", () => {
    const command = { type: "steer", content: "hi", context: { page: 1 } } as const;
    const content = [{ type: "text", text: "hi" }];
    expect(decide(states.running, command, context)).toMatchObject({
      events: [{ type: "user_message", turn_id: "t1", data: { delivery: "steer", content } }],
      effects: [{ input: { turnId: "t1", messageId: "new", content, context: { page: 1 } } }],
    });
  });
});
