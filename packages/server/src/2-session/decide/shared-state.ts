import {
  applyJsonPatch,
  type CommandOf,
  type Control,
  draft,
  type JsonValue,
  MAX_EVENT_BYTES,
  rejected,
} from "@turnwire/protocol";
import type { Decision, DecisionContext } from "../decide.ts";

/** What is shared must fit into one event, with room for its envelope: copies begin with it whole. */
const MAX_SHARED_BYTES = MAX_EVENT_BYTES - 4096;

/** A patch from the UI is taken only if it applies; then all fold it alike. */
export function decideSharedState(
  control: Control,
  command: CommandOf<"state_patch">,
  context: DecisionContext,
): Decision {
  if (!control.session.capabilities.shared_state) {
    return rejected("capability_missing", "This runtime shares no state.", {
      capability: "shared_state",
    });
  }
  const patched = applyJsonPatch(control.shared, command.patches);
  if (!patched.ok)
    return rejected("invalid_request", `The patch does not apply: ${patched.problem}.`);
  if (!fitsAnEvent(command.patches) || !fitsAnEvent(patched.value)) {
    return rejected(
      "payload_too_large",
      `A patch, and the shared state with it, have at most ${MAX_SHARED_BYTES} bytes of JSON.`,
      { limit_bytes: MAX_SHARED_BYTES },
    );
  }
  return {
    ok: true,
    events: [draft("state_delta", { patches: command.patches, by: context.by })],
    effects: [{ type: "shared_state" }],
  };
}

function fitsAnEvent(value: JsonValue | CommandOf<"state_patch">["patches"]): boolean {
  return Buffer.byteLength(JSON.stringify(value)) <= MAX_SHARED_BYTES;
}
