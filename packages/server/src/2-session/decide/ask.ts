import {
  type CommandOf,
  type Control,
  draft,
  entryOf,
  limits,
  rejected,
  requestOf,
} from "@turnwire/protocol";
import { isRequestIdUsed } from "./admit.ts";
import { notOpen } from "./answer.ts";
import type { Decision, DecisionContext } from "./decide.ts";

/** A program shows a component and waits for its answer. It belongs to no turn, and outlives the one that runs. */
export function decideAsk(
  control: Control,
  command: CommandOf<"ask">,
  { by, now, requestTimeoutMs, ui }: DecisionContext,
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
  const surface = command.surface ?? entryOf(control.catalog, component_name)?.surfaces[0];
  if (surface === undefined) {
    return rejected("invalid_request", `surface: the catalog has none for ${component_name}.`);
  }
  const problem = ui?.check({ name: component_name, surface, props });
  if (problem !== undefined) return rejected("invalid_request", problem);
  const expires_at = new Date(now + requestTimeoutMs).toISOString();
  const asked = { interrupt_id, component_name, props, surface, expires_at, by };
  return { ok: true, events: [draft("interrupt", asked)], effects: [] };
}
