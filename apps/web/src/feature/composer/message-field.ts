import { createContext, useContext, useMemo, useRef, type RefObject } from "react";

/** The field for messages of a conversation, for what surrounds it. */
export interface MessageField {
  readonly element: RefObject<HTMLTextAreaElement | null>;
  readonly focus: () => void;
  /** True while it has the focus but nothing is written yet. */
  readonly isWaiting: () => boolean;
}

const noField: MessageField = {
  element: { current: null },
  focus: () => undefined,
  isWaiting: () => false,
};

export const MessageFieldContext = createContext<MessageField>(noField);

/** The field of the conversation that this component belongs to. */
export function useMessageField(): MessageField {
  return useContext(MessageFieldContext);
}

/** For a conversation, which gives it to all its parts. */
export function useNewMessageField(): MessageField {
  const element = useRef<HTMLTextAreaElement>(null);
  return useMemo(
    () => ({
      element,
      focus: () => {
        // Not on a touch screen: there the focus brings up a keyboard that the person did not ask for.
        if (matchMedia("(hover: hover)").matches) element.current?.focus({ preventScroll: true });
      },
      isWaiting: () =>
        element.current !== null &&
        document.activeElement === element.current &&
        element.current.value === "",
    }),
    [],
  );
}
