import { createContext, useContext } from "react";

/** What a page can ask the window to do. */
export interface FrameControls {
  readonly openSidebar: () => void;
  readonly showShortcuts: () => void;
  readonly showLogins: () => void;
}

export const FrameContext = createContext<FrameControls>({
  openSidebar: () => undefined,
  showShortcuts: () => undefined,
  showLogins: () => undefined,
});

export function useFrame(): FrameControls {
  return useContext(FrameContext);
}
