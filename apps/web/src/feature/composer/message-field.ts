import type { ContentBlock } from "@turnwire/protocol";
import { createContext, useContext, useMemo, useRef, type RefObject } from "react";

/** The field for messages of a conversation, for what surrounds it. */
export interface MessageField {
  readonly element: RefObject<HTMLTextAreaElement | null>;
  readonly focus: () => void;
  /** Takes a message back for editing; null while there is no field. */
  readonly takeBack: RefObject<((message: TakenBack) => void) | null>;
  /** True while it has the focus but nothing is written yet. */
  readonly isWaiting: () => boolean;
}

/** A message that a person may change and send again. */
export interface TakenBack {
  readonly message_id: string;
  readonly content: readonly ContentBlock[];
}

const noField: MessageField = {
  element: { current: null },
  takeBack: { current: null },
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
  const takeBack = useRef<MessageField["takeBack"]["current"]>(null);
  return useMemo(
    () => ({
      element,
      takeBack,
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
