import {
  type Capabilities,
  type CapabilityName,
  type CommandOf,
  type Control,
  draft,
  type EventData,
  rejected,
} from "@turnwire/protocol";
import type { Decision, DecisionContext } from "./decide.ts";
import type { Effect } from "./effect.ts";
import { resolveOwn } from "./resolve.ts";
import { refusePolicyMode } from "./mode-choice.ts";

type Setting =
  | CommandOf<"set_model">
  | CommandOf<"set_effort">
  | CommandOf<"set_permission_mode">
  | CommandOf<"set_policy_mode">
  | CommandOf<"stop_task">
  | CommandOf<"read_context">
  | CommandOf<"reconnect_mcp_server">
  | CommandOf<"rename">
  | CommandOf<"archive">
  | CommandOf<"unarchive">;

/** Changes of the session that are not part of its conversation. */
export function decideSetting(
  control: Control,
  command: Setting,
  context: DecisionContext,
): Decision {
  const { capabilities, status } = control.session;
  const needed = capabilityFor(command);
  if (needed && !capabilities[needed]) {
    return rejected("capability_missing", `This runtime has no ${needed}.`, { capability: needed });
  }
  switch (command.type) {
    case "set_model":
      return updated({ model: command.model }, context, [
        { type: "set_model", model: command.model },
      ]);
    case "set_effort":
      return decideEffort(control, command.effort, context);
    case "set_permission_mode":
      return decideMode(control, command.mode, context);
    case "set_policy_mode":
      return decidePolicyMode(control, command.mode, context);
    case "stop_task":
      return { ok: true, events: [], effects: [{ type: "stop_task", taskId: command.task_id }] };
    case "read_context":
      return { ok: true, events: [], effects: [{ type: "read_context" }] };
    case "reconnect_mcp_server": {
      const { type, server_name: name } = command;
      return { ok: true, events: [], effects: [{ type, name }] };
    }
    case "rename":
      return updated({ title: command.title }, context, [{ type: "rename", title: command.title }]);
    case "archive":
      if (status === "archived") return { ok: true, events: [], effects: [] };
      if (control.turn || control.queue.length > 0) {
        return rejected("turn_running", "A turn is running: stop it before archiving the session.");
      }
      return {
        ok: true,
        events: [
          ...resolveOwn(control),
          draft("session_updated", { status: "archived", by: context.by }),
        ],
        effects: [{ type: "close_run" }, { type: "set_archived", isArchived: true }],
      };
    case "unarchive":
      if (status !== "archived") return { ok: true, events: [], effects: [] };
      return updated({ status: "hibernated" }, context, [
        { type: "set_archived", isArchived: false },
      ]);
  }
}

function capabilityFor(command: Setting): CapabilityName | undefined {
  switch (command.type) {
    case "set_model":
    case "set_effort":
    case "set_permission_mode":
    case "stop_task":
      return command.type;
    case "read_context":
      return "context_usage";
    case "reconnect_mcp_server":
      return "reconnect_mcp";
    case "set_policy_mode":
      return command.mode === null ? undefined : "tool_policy";
    case "rename":
    case "archive":
    case "unarchive":
      return undefined;
  }
}

function decideEffort(control: Control, effort: string | null, context: DecisionContext): Decision {
  const refusal = effort === null ? undefined : refuseEffort(control.session.capabilities, effort);
  return refusal ?? updated({ effort }, context, [{ type: "set_effort", effort }]);
}

/** A runtime that lists no efforts takes any word and leaves the judgement to its model. */
export function refuseEffort(
  { efforts = [], set_effort }: Partial<Capabilities>,
  effort: string,
): ReturnType<typeof rejected> | undefined {
  if (!set_effort) {
    return rejected("capability_missing", "effort: this runtime has no choice of effort.", {
      capability: "set_effort",
      field: "effort",
    });
  }
  if (efforts.length === 0 || efforts.includes(effort)) return undefined;
  return rejected(
    "invalid_request",
    `effort: this runtime has no effort ${effort}; choose one of ${efforts.join(", ")}.`,
    { efforts },
  );
}

function decideMode(control: Control, mode: string, context: DecisionContext): Decision {
  const refusal = refuseMode(control.session.capabilities, mode, context.isAdmin);
  return (
    refusal ?? updated({ permission_mode: mode }, context, [{ type: "set_permission_mode", mode }])
  );
}

/** The gate reads it from the log, so there is nothing to do to the agent. */
function decidePolicyMode(
  control: Control,
  mode: string | null,
  context: DecisionContext,
): Decision {
  const { policy, isAdmin } = context;
  const from = control.session.policy_mode;
  const refusal = refusePolicyMode({ policy, from, to: mode ?? undefined, isAdmin });
  if (refusal) return refusal;
  if (from === (mode ?? undefined)) return { ok: true, events: [], effects: [] };
  return updated({ policy_mode: mode }, context);
}

/** Modes are the runtime's own words; those that stop asking are for admins. */
export function refuseMode(
  capabilities: Control["session"]["capabilities"],
  mode: string,
  isAdmin: boolean,
): ReturnType<typeof rejected> | undefined {
  const { permission_modes: modes, admin_modes: adminModes } = capabilities;
  const problem = new Map(Object.entries(capabilities.unavailable_modes ?? {})).get(mode);
  if (problem !== undefined) {
    return rejected("forbidden", `Permission mode ${mode} cannot be used here: ${problem}.`);
  }
  if (!modes.includes(mode)) {
    return rejected("invalid_request", `This runtime has no permission mode ${mode}.`, {
      permission_modes: modes,
    });
  }
  if (adminModes.includes(mode) && !isAdmin) {
    return rejected("forbidden", `Only an admin may choose permission mode ${mode}.`);
  }
  return undefined;
}

function updated(
  data: EventData<"session_updated">,
  context: DecisionContext,
  effects: readonly Effect[] = [],
): Decision {
  return { ok: true, events: [draft("session_updated", { ...data, by: context.by })], effects };
}
