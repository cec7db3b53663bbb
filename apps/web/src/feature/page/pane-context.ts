import { createContext } from "react";

/** Which part of the window a page is in. */
export interface Pane {
  readonly isBeside: boolean;
  /** Closes a pane at the side. */
  readonly onClose?: () => void;
}

export const PaneContext = createContext<Pane>({ isBeside: false });
