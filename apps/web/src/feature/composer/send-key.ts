import type { EnterAction } from "./enter-key.ts";

interface EnterPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** Whether a key sends the message; Ctrl or Cmd with Enter always does. */
export function isSendKey(press: EnterPress, action: EnterAction): boolean {
  if (press.key !== "Enter") return false;
  if (press.ctrlKey || press.metaKey) return true;
  return action === "send" && !press.shiftKey;
}
