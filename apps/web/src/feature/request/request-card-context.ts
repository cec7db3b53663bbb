import { createContext, useContext } from "react";

export const RequestCardContext = createContext<() => void>(() => undefined);

/** Gives the focus back to the card around this component, which then takes single keys again. */
export function useCardFocus(): () => void {
  return useContext(RequestCardContext);
}
