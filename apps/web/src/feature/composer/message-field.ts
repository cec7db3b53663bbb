import { paneOf } from "../page/pane.ts";

/** The field for messages in the same part of the window. */
export function messageFieldBeside(element: Element): HTMLTextAreaElement | null {
  return paneOf(element).querySelector<HTMLTextAreaElement>("textarea[data-message-field]");
}

/** Not on a touch screen: there the focus brings up a keyboard that nobody asked for. */
export function focusMessageField(beside: Element): void {
  if (!matchMedia("(hover: hover)").matches) return;
  messageFieldBeside(beside)?.focus({ preventScroll: true });
}
