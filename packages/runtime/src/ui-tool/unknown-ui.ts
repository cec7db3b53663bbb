import type { UiPort } from "../ui-port.ts";

/** The UI of a run that belongs to no session: nothing is known of it, so anything may be tried. */
export const unknownUi: UiPort = {
  catalog: () => [],
  component: () => undefined,
  check: async () => undefined,
  state: () => ({ value: null, version: 0 }),
  checkPatches: () => undefined,
};
