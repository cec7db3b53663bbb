import type { Capabilities } from "@turnwire/protocol";

interface Option {
  readonly value: string;
  readonly label: string;
}

/** The models to choose from; one that is in use but not listed is included. */
export function modelOptions(
  { models }: Pick<Capabilities, "models">,
  current: string | undefined,
): readonly Option[] {
  const known = models.map(({ id, label = id }) => ({ value: id, label }));
  const isKnown = current === undefined || models.some(({ id }) => id === current);
  return [
    { value: "", label: "Default model" },
    ...known,
    ...(isKnown ? [] : [{ value: current, label: current }]),
  ];
}

type ModeCapabilities = Pick<
  Capabilities,
  "permission_modes" | "admin_modes" | "unavailable_modes"
>;

/** The modes that can be used here; those that never ask are marked. */
export function modeOptions(
  { permission_modes, admin_modes, unavailable_modes = {} }: ModeCapabilities,
  current: string | undefined,
): readonly Option[] {
  const modes = permission_modes.filter((mode) => !Object.hasOwn(unavailable_modes, mode));
  const options = modes.map((mode) => ({
    value: mode,
    label: admin_modes.includes(mode) ? `${mode} (never asks, admins only)` : mode,
  }));
  // A mode cannot be unset, so no mode is offered only while none was chosen.
  return current === undefined
    ? [{ value: "", label: "Default permissions" }, ...options]
    : options;
}
