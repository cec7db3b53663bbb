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

/** A place for what the agent shows, which a person can close: it opens again when something new comes. */
interface SurfacePlace {
  readonly element: RefObject<HTMLElement | null>;
  readonly isEmpty: boolean;
  /** Something is there, but the person closed it. */
  readonly isClosed: boolean;
  readonly close: () => void;
  readonly reopen: () => void;
  /** Reopens it and gives it the focus. */
  readonly focus: () => void;
}

/** What the agent shows outside the chat: beside the conversation, and over it. */
export interface Surfaces {
  readonly beside: SurfacePlace;
  readonly overlay: SurfacePlace;
  readonly hasCanvas: boolean;
  /** Moves the focus to a surface, and reopens it where it was closed. */
  readonly show: (surface: Exclude<Surface, "chat">) => void;
}

/** How a card in the chat gets to the surface that it is about. */
export const ShowSurfaceContext = createContext<Surfaces["show"]>(() => undefined);

export function useShowSurface(): Surfaces["show"] {
  return useContext(ShowSurfaceContext);
}

const SHARED = "shared";

function hasShared({ session }: SessionView): boolean {
  return session.shared !== null;
}

/** For a conversation: what the agent shows in it outside the chat. */
export function useSurfaces(): Surfaces {
  const canvas = useSurface("canvas");
  const sidebar = useSurface("sidebar");
  const panel = useSurface("panel");
  const shown = useSurface("overlay");
  const isShared = useSessionSelector(hasShared);
  const besideIds = useMemo(() => {
    const ids = [...canvas, ...sidebar, ...panel].map(({ component_id }) => component_id);
    return isShared ? [...ids, SHARED] : ids;
  }, [canvas, sidebar, panel, isShared]);
  const overlayIds = useMemo(() => shown.map(({ component_id }) => component_id), [shown]);
  const beside = usePlace(besideIds);
  const overlay = usePlace(overlayIds);
  const [focusBeside, focusOverlay] = [beside.focus, overlay.focus];
  const show = useCallback<Surfaces["show"]>(
    (surface) => (surface === "overlay" ? focusOverlay() : focusBeside()),
    [focusBeside, focusOverlay],
  );
  return { beside, overlay, hasCanvas: canvas.length > 0, show };
}

function usePlace(ids: readonly string[]): SurfacePlace {
  const element = useRef<HTMLElement>(null);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const reopen = useCallback(() => setClosed(new Set()), []);
  const focus = useCallback(() => {
    // What is hidden cannot take the focus.
    flushSync(reopen);
    element.current?.focus();
  }, [reopen]);
  return {
    element,
    isEmpty: ids.length === 0,
    isClosed: ids.length > 0 && ids.every((id) => closed.has(id)),
    close: () => setClosed(new Set(ids)),
    reopen,
    focus,
  };
}
