import {
  accepted,
  type CommandOf,
  type Control,
  draft,
  entryOf,
  type EventData,
  rejected,
  type Result,
} from "@turnwire/protocol";
import type { ComponentWish, UiPort } from "@turnwire/runtime";
import type { Decision, DecisionContext } from "./decide.ts";

/** A component from outside: any program that may command the session can show one, held to the catalog. */
export function decideShow(
  control: Control,
  command: CommandOf<"show_component">,
  { by, ui, propsProblem }: DecisionContext,
): Decision {
  const wish = wishFrom(control, command, ui);
  if (!wish.ok) return wish;
  if (propsProblem !== undefined) return rejected("invalid_request", propsProblem);
  const { component_id, props = {}, patches, merge = false } = command;
  const { name, surface } = wish.value;
  const data: EventData<"component_update"> = patches
    ? { component_id, name, surface, props: {}, merge: false, patches, by }
    : { component_id, name, surface, props, merge, by };
  return { ok: true, events: [draft("component_update", data, placeNow(control))], effects: [] };
}

/** The component that the command is about, as the session would show it. */
export function wishFrom(
  control: Control,
  command: CommandOf<"show_component">,
  ui: Pick<UiPort, "component"> | undefined,
): Result<ComponentWish> {
  const { component_id, props = {}, patches, merge = false } = command;
  const shown = ui?.component(component_id);
  const name = command.name ?? shown?.name;
  if (name === undefined) {
    return rejected(
      "invalid_request",
      `There is no component ${component_id}: a new one needs a name.`,
    );
  }
  const [first] = entryOf(control.catalog, name)?.surfaces ?? [];
  const surface = command.surface ?? shown?.surface ?? first;
  if (surface === undefined) {
    return rejected(
      "invalid_request",
      `There is no component ${component_id}: a new one needs a surface.`,
    );
  }
  const change = patches ? { patches } : { props, merge };
  return accepted({ component_id, name, surface, ...change });
}

/** Harmless when it is gone: two programs may remove it at once. */
export function decideRemove(
  control: Control,
  { component_id }: CommandOf<"remove_component">,
  { by, ui }: DecisionContext,
): Decision {
  const isThere = ui?.component(component_id) !== undefined;
  const events = isThere
    ? [draft("component_remove", { component_id, by }, placeNow(control))]
    : [];
  return { ok: true, events, effects: [] };
}

/** What is shown between turns belongs to none, so that no rollback takes it back. */
function placeNow({ turn }: Control): { turn_id?: string } {
  return turn ? { turn_id: turn.turn_id } : {};
}
