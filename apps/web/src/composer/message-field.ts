/** There is one field for messages in the window; others find it by its id. */
export const messageFieldId = "message-field";

export function messageField(): HTMLTextAreaElement | undefined {
  const element = document.getElementById(messageFieldId);
  return element instanceof HTMLTextAreaElement ? element : undefined;
}

/** Not on a touch screen: there the focus brings up a keyboard that nobody asked for. */
export function focusMessageField(): void {
  if (matchMedia("(hover: hover)").matches) messageField()?.focus({ preventScroll: true });
}
