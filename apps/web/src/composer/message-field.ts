/** There is one field for messages in each pane of the window; others find it by this id. */
export const messageFieldId = "message-field";

/** The field of the pane that has the focus, else the first. */
export function messageField(): HTMLTextAreaElement | undefined {
  const pane = document.activeElement?.closest("[data-pane]") ?? document;
  const element = pane.querySelector(`#${messageFieldId}`);
  return element instanceof HTMLTextAreaElement ? element : undefined;
}

/** Not on a touch screen: there the focus brings up a keyboard that nobody asked for. */
export function focusMessageField(): void {
  if (matchMedia("(hover: hover)").matches) messageField()?.focus({ preventScroll: true });
}
