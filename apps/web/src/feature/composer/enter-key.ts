import { createStore } from "@turnwire/base";
import { useStore } from "../../element/use-store.ts";

/** What Enter does in a message field, in the words of `enterkeyhint`: it sends, or breaks the line. */
export type EnterAction = "send" | "enter";

const KEY = "turnwire.enter";

const chosen = createStore(keptAction());

function keptAction(): EnterAction | undefined {
  const kept = localStorage.getItem(KEY);
  return kept === "send" || kept === "enter" ? kept : undefined;
}

/** What the person chose; else it breaks the line on a touch screen, where there is no Shift to hold. */
export function useEnterAction(): EnterAction {
  const usual = matchMedia("(pointer: coarse)").matches ? "enter" : "send";
  return useStore(chosen) ?? usual;
}

/** Chooses it for this browser. */
export function chooseEnterAction(action: EnterAction): void {
  localStorage.setItem(KEY, action);
  chosen.set(action);
}
