import type { PolicyQuery } from "@turnwire/protocol";
import { createContext, useContext, type RefObject } from "react";

/** What a page can ask the window to do. */
export interface FrameControls {
  /** The sidebar is hidden on a large screen. */
  readonly isSidebarHidden: boolean;
  readonly openSidebar: () => void;
  /** The button of the page that shows the sidebar. */
  readonly sidebarButton: RefObject<HTMLButtonElement | null>;
  readonly showShortcuts: () => void;
  readonly showLogins: () => void;
  readonly showRelays: () => void;
  /** Shows the policy of a session or directory; without one, of the session on the page. */
  readonly showPolicy: (query?: PolicyQuery) => void;
}

export const FrameContext = createContext<FrameControls>({
  isSidebarHidden: false,
  openSidebar: () => undefined,
  sidebarButton: { current: null },
  showShortcuts: () => undefined,
  showLogins: () => undefined,
  showRelays: () => undefined,
  showPolicy: () => undefined,
});

export function useFrame(): FrameControls {
  return useContext(FrameContext);
}
