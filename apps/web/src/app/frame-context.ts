import { createContext, useContext } from "react";

/** What pages may ask of the window around them. */
export interface FrameControls {
  readonly openSidebar: () => void;
}

export const FrameContext = createContext<FrameControls>({ openSidebar: () => undefined });

export function useFrame(): FrameControls {
  return useContext(FrameContext);
}
