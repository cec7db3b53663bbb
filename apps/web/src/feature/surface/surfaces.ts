import type { SessionView } from "@turnwire/client";
import type { Surface } from "@turnwire/protocol";
import { useSessionSelector, useSurface } from "@turnwire/react";
import {
  createContext,
  type RefObject,
  useCallback,
  useContext,
  useMemo,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { type Place, places, placesInSight, withFirst } from "./place-layout.ts";

/** A place for what the agent shows, which a person can close: it opens again when something new comes. */
export interface SurfacePlace {
  readonly element: RefObject<HTMLElement | null>;
  /** How many components are there. */
  readonly count: number;
  /** Something is there and can be seen: neither closed nor pushed aside by another place. */
  readonly isInSight: boolean;
  readonly close: () => void;
  /** Brings it into sight and gives it the focus. */
  readonly focus: () => void;
}

/** What the agent shows outside the chat. */
export interface Surfaces {
  readonly places: Readonly<Record<Exclude<Surface, "chat">, SurfacePlace>>;
  /** Moves the focus to a surface, and brings it into sight. */
  readonly show: (surface: Exclude<Surface, "chat">) => void;
}

/** How a card in the chat gets to the surface that it is about. */
export const ShowSurfaceContext = createContext<Surfaces["show"]>(() => undefined);

export function useShowSurface(): Surfaces["show"] {
  return useContext(ShowSurfaceContext);
}

const SHARED = "shared";

function hasShared({ session }: SessionView): boolean {
  return session.shared_version > 0;
}

/** For a conversation in a pane of this width: what the agent shows in it outside the chat. */
export function useSurfaces(paneWidth: number): Surfaces {
  const isShared = useSessionSelector(hasShared);
  const canvas = useOpenPlace(useSurface("canvas"));
  const sidebar = useOpenPlace(useSurface("sidebar"), isShared);
  const panel = useOpenPlace(useSurface("panel"));
  const overlay = useOpenPlace(useSurface("overlay"));
  const open = { canvas, sidebar, panel, overlay };
  const [order, setOrder] = useOrder(open);
  const inSight = placesInSight(
    order.filter((place) => open[place].isOpen),
    paneWidth,
  );
  const doors = useDoors(open);
  const show = useCallback<Surfaces["show"]>(
    (surface) => {
      // What is hidden cannot take the focus.
      flushSync(() => {
        doors[surface].reopen();
        if (surface !== "overlay") setOrder((before) => withFirst(before, surface));
      });
      doors[surface].element.current?.focus();
    },
    [doors, setOrder],
  );
  const placeOf = (surface: Exclude<Surface, "chat">): SurfacePlace => {
    const { door, ids, isOpen, close } = open[surface];
    const isInSight = surface === "overlay" ? isOpen : inSight.includes(surface);
    return {
      element: door.element,
      count: ids.length,
      isInSight,
      close,
      focus: () => show(surface),
    };
  };
  return {
    places: {
      canvas: placeOf("canvas"),
      sidebar: placeOf("sidebar"),
      panel: placeOf("panel"),
      overlay: placeOf("overlay"),
    },
    show,
  };
}

type OpenPlaces = Readonly<Record<Place, OpenPlace>>;

/** The places in the order in which something new came to them, or was looked for there. */
function useOrder(open: OpenPlaces) {
  const [order, setOrder] = useState<readonly Place[]>(places);
  const [known, setKnown] = useState(open);
  const changed = places.filter((place) => known[place].ids !== open[place].ids);
  if (changed.length > 0) {
    setKnown(open);
    const grown = changed.find((place) => {
      const before = new Set(known[place].ids);
      return open[place].ids.some((id) => !before.has(id));
    });
    if (grown) setOrder(withFirst(order, grown));
  }
  return [order, setOrder] as const;
}

/** What opens a place; the same as long as the conversation is on the page. */
interface Door {
  readonly element: RefObject<HTMLElement | null>;
  readonly reopen: () => void;
}

function useDoors({ canvas, sidebar, panel, overlay }: OpenPlaces & { overlay: OpenPlace }) {
  const [c, s, p, o] = [canvas.door, sidebar.door, panel.door, overlay.door];
  return useMemo(() => ({ canvas: c, sidebar: s, panel: p, overlay: o }), [c, s, p, o]);
}

interface OpenPlace {
  readonly door: Door;
  readonly ids: readonly string[];
  /** Something is there that the person has not closed. */
  readonly isOpen: boolean;
  readonly close: () => void;
}

function useOpenPlace(
  components: readonly { readonly component_id: string }[],
  isShared = false,
): OpenPlace {
  const ids = useMemo(() => {
    const shown = components.map(({ component_id }) => component_id);
    return isShared ? [...shown, SHARED] : shown;
  }, [components, isShared]);
  const element = useRef<HTMLElement>(null);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const door = useMemo<Door>(() => ({ element, reopen: () => setClosed(new Set()) }), []);
  return {
    door,
    ids,
    isOpen: ids.some((id) => !closed.has(id)),
    close: () => setClosed(new Set(ids)),
  };
}
