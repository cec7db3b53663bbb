import {
  type CommandOf,
  type Control,
  draft,
  entryOf,
  type EventData,
  rejected,
} from "@turnwire/protocol";
import type { Decision, DecisionContext } from "./decide.ts";
import { decideMessage } from "./message.ts";

/** What a person did in a component prompts the agent, unless the catalog keeps it for the next message. */
export function decideCallback(
  control: Control,
  command: CommandOf<"component_callback">,
  context: DecisionContext,
): Decision {
  const { component_id, action, payload } = command;
  const name = context.componentName?.(component_id);
  if (name === undefined) {
    return rejected("component_gone", `The session shows no component ${component_id} any more.`, {
      component_id,
    });
  }
  const { by, messageId } = context;
  const callback = { component_id, action, payload, by };
  if (entryOf(control.catalog, name)?.callbacks === "next_turn") {
    if (!control.session.capabilities.components) return noComponents();
    return {
      ok: true,
      events: [draft("component_callback", callback)],
      effects: [{ type: "component_callback", callback: command }],
    };
  }
  const source = { component_id, name, action, payload };
  const message = { type: "user_message", content: callbackText(source) } as const;
  const decision = decideMessage(control, message, context, source);
  if (!decision.ok) return decision;
  const reported = draft("component_callback", { ...callback, message_id: messageId });
  return { ...decision, events: [reported, ...decision.events] };
}

function noComponents(): ReturnType<typeof rejected> {
  return rejected("capability_missing", "This runtime takes nothing from components.", {
    capability: "components",
  });
}

/** What a person did, in words for the agent. */
function callbackText(callback: NonNullable<EventData<"user_message">["callback"]>): string {
  const { name, component_id, action, payload } = callback;
  return `The person used the component ${name} (component_id ${component_id}): ${action}\n${JSON.stringify(payload)}`;
}
