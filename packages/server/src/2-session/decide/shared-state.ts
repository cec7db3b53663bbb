import type { CommandOf, Control } from "@turnwire/protocol";
import { applyJsonPatch, draft } from "@turnwire/protocol";
import type { Decision, DecisionContext } from "../decide.ts";
import { rejected } from "../result.ts";

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
  return {
    ok: true,
    events: [draft("state_delta", { patches: command.patches, by: context.by })],
    effects: [{ type: "shared_state" }],
  };
}
