/** What Enter does in a message field: on a touch screen there is no Shift to hold, so it breaks the line. */
export function enterAction(): "send" | "enter" {
  return matchMedia("(pointer: coarse)").matches ? "enter" : "send";
}

interface EnterPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** Whether a key sends the message; Ctrl or Cmd with Enter always does. */
export function isSendKey(press: EnterPress, action: "send" | "enter"): boolean {
  if (press.key !== "Enter") return false;
  if (press.ctrlKey || press.metaKey) return true;
  return action === "send" && !press.shiftKey;
}
