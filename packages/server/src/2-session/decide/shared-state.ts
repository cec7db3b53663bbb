import {
  limits,
  applyJsonPatch,
  type CommandOf,
  type Control,
  draft,
  type JsonValue,
  rejected,
} from "@turnwire/protocol";
import { defined } from "@turnwire/base";
import type { Decision, DecisionContext } from "./decide.ts";

/** A patch from the UI is taken only if it applies; then all fold it alike. */
export function decideSharedState(
  control: Control,
  command: CommandOf<"state_patch">,
  context: DecisionContext,
): Decision {
  if (!control.session.capabilities.shared_state) {
    return rejected("capability_missing", "This runtime has no shared state.", {
      capability: "shared_state",
    });
  }
  const { patches, base_version, client_patch_id } = command;
  const version = control.shared_version;
  if (base_version !== undefined && base_version !== version) {
    return rejected(
      "stale_state",
      `The patch is for version ${base_version} of the shared state, which has version ${version}: make it again from that.`,
      { version },
    );
  }
  const patched = applyJsonPatch(control.shared, patches);
  if (!patched.ok)
    return rejected("invalid_request", `The patch does not apply: ${patched.problem}.`);
  if (!fitsAnEvent(patches) || !fitsAnEvent(patched.value)) {
    return rejected(
      "payload_too_large",
      `A patch, and the shared state with it, have at most ${limits.sharedStateBytes} bytes of JSON.`,
      { limit_bytes: limits.sharedStateBytes },
    );
  }
  return {
    ok: true,
    events: [draft("state_delta", { patches, ...defined({ client_patch_id }), by: context.by })],
    effects: [{ type: "shared_state" }],
  };
}

/** With room for the envelope: a copy of a session begins with the whole shared state. */
function fitsAnEvent(value: JsonValue | CommandOf<"state_patch">["patches"]): boolean {
  return Buffer.byteLength(JSON.stringify(value)) <= limits.sharedStateBytes;
}
