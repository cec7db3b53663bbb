import { createContext, useContext } from "react";

/** The part of the window that a page is in; two sessions side by side have one each. */
export interface Pane {
  readonly isBeside: boolean;
  /** Closes the second pane. */
  readonly onClose?: () => void;
  readonly contains: (node: Node) => boolean;
  /** True while keys are meant for this pane: it has the focus, or no other pane has it. */
  readonly isActive: () => boolean;
}

export const PaneContext = createContext<Pane>({
  isBeside: false,
  contains: () => true,
  isActive: () => true,
});

export function usePane(): Pane {
  return useContext(PaneContext);
}
