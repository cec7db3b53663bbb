import { isObject } from "@turnwire/base";
import type { EventData } from "@turnwire/protocol";
import { permissionSubject, type PermissionSubject } from "./permission-subject.ts";

interface HookSubject {
  readonly subject: PermissionSubject;
  readonly toolName: string;
}

/** A hook around a tool call is about the tool's input; any other hook is about its own input. */
export function hookSubject({ hook_event, hook_input }: EventData<"hook_request">): HookSubject {
  if (isObject(hook_input)) {
    const { tool_name, tool_input } = hook_input;
    if (typeof tool_name === "string" && tool_input !== undefined) {
      return { subject: permissionSubject({ tool_name, tool_input }), toolName: tool_name };
    }
  }
  return { subject: { type: "input", input: hook_input }, toolName: hook_event };
}

/** The question in the header of the card. */
export function hookTitle({ hook_event }: Pick<EventData<"hook_request">, "hook_event">): string {
  return hook_event === "PreToolUse"
    ? "A hook asks: run this?"
    : `A hook asks: continue? (${hook_event})`;
}
