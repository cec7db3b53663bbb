import {
  type CommandOf,
  type Control,
  draft,
  entryOf,
  limits,
  rejected,
  requestOf,
  type Surface,
} from "@turnwire/protocol";
import type { ComponentWish } from "@turnwire/runtime";
import { isRequestIdUsed } from "./admit.ts";
import { notOpen } from "./answer.ts";
import type { Decision, DecisionContext } from "./decide.ts";

/** A program shows a component and waits for its answer. It belongs to no turn, and outlives the one that runs. */
export function decideAsk(
  control: Control,
  command: CommandOf<"ask">,
  { by, now, requestTimeoutMs, propsProblem }: DecisionContext,
): Decision {
  const { interrupt_id, component_name, props = {} } = command;
  if (requestOf(control, interrupt_id)) return { ok: true, events: [], effects: [] };
  if (isRequestIdUsed(control, interrupt_id)) return notOpen(control, interrupt_id);
  if (Object.keys(control.requests).length >= limits.openRequests) {
    return rejected(
      "invalid_request",
      `The session has ${limits.openRequests} open requests, and that is the most it can have: wait for an answer first.`,
    );
  }
  const surface = surfaceOf(control, command);
  if (surface === undefined) {
    return rejected("invalid_request", `surface: the catalog has none for ${component_name}.`);
  }
  if (propsProblem !== undefined) return rejected("invalid_request", propsProblem);
  const expires_at = new Date(now + requestTimeoutMs).toISOString();
  const asked = { interrupt_id, component_name, props, surface, expires_at, by };
  return { ok: true, events: [draft("interrupt", asked)], effects: [] };
}

/** The component that is asked by; undefined where it has no surface. */
export function askedWish(control: Control, command: CommandOf<"ask">): ComponentWish | undefined {
  const { component_name: name, props = {} } = command;
  const surface = surfaceOf(control, command);
  return surface && { name, surface, props };
}

function surfaceOf(
  { catalog }: Control,
  { surface, component_name: name }: CommandOf<"ask">,
): Surface | undefined {
  return surface ?? entryOf(catalog, name)?.surfaces[0];
}
