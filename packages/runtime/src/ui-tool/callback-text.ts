import type { CommandOf } from "@turnwire/protocol";

/** What a person did in a component, as an agent reads it. */
export function callbackText({
  type: _,
  client_callback_id: __,
  ...facts
}: CommandOf<"component_callback">): string {
  return `A component in the user interface says: ${JSON.stringify(facts)}`;
}
