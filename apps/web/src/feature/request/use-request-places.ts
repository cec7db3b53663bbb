import { createContext, useContext, useEffect, useState, type RefObject } from "react";
import { useStore } from "../../element/use-store.ts";
import type { MessageField } from "../composer/message-field.ts";
import { useKept } from "../session/session-memory.ts";
import { RequestPlaces, type CardList } from "./request-places.ts";

export const RequestPlacesContext = createContext<RequestPlaces | null>(null);

/** For a conversation, which gives them to all its parts. */
export function useNewRequestPlaces(field: MessageField): RequestPlaces {
  const met = useKept("met requests", () => new Set<string>());
  const [places] = useState(() => new RequestPlaces({ field, met }));
  return places;
}

/** Those of the conversation that this component belongs to. */
export function useRequestPlaces(): RequestPlaces {
  const places = useContext(RequestPlacesContext);
  if (!places) throw new Error("Wrap this component in <RequestPlacesContext>.");
  return places;
}

/** The open requests whose cards are in sight. */
export function useSeenRequests(): ReadonlySet<string> {
  return useStore(useRequestPlaces().seen);
}

/** Makes a card the place of its request while that is open. */
export function useRequestPlace(
  card: RefObject<HTMLElement | null>,
  { id, isOpen }: { readonly id: string; readonly isOpen: boolean },
): void {
  const places = useRequestPlaces();
  useEffect(() => {
    if (!isOpen) places.forget(id);
    else if (card.current) return places.add(id, card.current);
    return undefined;
  }, [places, card, id, isOpen]);
}

/** Makes a list the one that holds the cards. */
export function useCardList(
  list: RefObject<HTMLElement | null>,
  { goToRow, leaveFor }: Omit<CardList, "element">,
): void {
  const places = useRequestPlaces();
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    places.setList({ element, goToRow, leaveFor });
    return () => places.setList(undefined);
  });
}
