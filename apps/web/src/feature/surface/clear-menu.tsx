import { detach } from "@turnwire/base";
import type { Session } from "@turnwire/client";
import { interruptComponentId, type Surface } from "@turnwire/protocol";
import { useSession } from "@turnwire/react";
import { Menu, type MenuItem } from "../../element/menu.tsx";
import { showError } from "../../element/toast.ts";
import type { Surfaces } from "./surfaces.ts";

type PlaceName = Exclude<Surface, "chat">;

/** So many are removed at a time. */
const BATCH = 20;

interface ClearMenuProps {
  readonly name: PlaceName;
  readonly surfaces: Surfaces;
}

/** Clears a place, or all of them, for everybody who follows the session. */
export function ClearMenu({ name, surfaces }: ClearMenuProps) {
  const session = useSession();
  const { places } = surfaces;
  const used = placeNames.filter((one) => places[one].count > 0);
  const clear = (names: readonly PlaceName[]): void => {
    detach(
      clearPlaces(session, names).then(() => {
        // What waits for an answer, and what a tool use or the shared state shows, is only put out of sight.
        for (const one of names) places[one].close();
      }),
      showError,
    );
  };
  const own: MenuItem = {
    label: `Clear the ${titles[name]}`,
    icon: "trash",
    isDanger: true,
    onSelect: () => clear([name]),
  };
  const all: MenuItem = {
    label: "Clear all places",
    icon: "trash",
    isDanger: true,
    onSelect: () => clear(used),
  };
  return (
    <Menu label={`Actions for the ${titles[name]}`} items={used.length > 1 ? [own, all] : [own]} />
  );
}

const titles: Readonly<Record<PlaceName, string>> = {
  canvas: "canvas",
  sidebar: "sidebar",
  panel: "panel",
  overlay: "window",
};

const placeNames: readonly PlaceName[] = ["canvas", "sidebar", "panel", "overlay"];

async function clearPlaces(session: Session, names: readonly PlaceName[]): Promise<void> {
  const { surfaces, requests } = session.getState().session;
  const waiting = new Set(Object.keys(requests).map(interruptComponentId));
  const ids = names
    .flatMap((name) => surfaces[name].map(({ component_id }) => component_id))
    .filter((id) => !waiting.has(id));
  for (let start = 0; start < ids.length; start += BATCH) {
    const batch = ids.slice(start, start + BATCH);
    await Promise.all(
      batch.map((component_id) => session.execute({ type: "remove_component", component_id })),
    );
  }
}
