/** Two presses of Escape within this time count as one double press. */
const TWICE_MS = 800;

interface StopKeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly repeat: boolean;
  readonly timeStamp: number;
}

/** Whether a key stops the turn: Ctrl with a dot at once, Escape the second time. */
export function stopKey(
  press: StopKeyPress,
  /** When Escape was pressed before; undefined if it was not. */
  escapedAt: number | undefined,
): "stop" | "first" | undefined {
  if (press.repeat) return undefined;
  if (press.key === "." && (press.ctrlKey || press.metaKey)) return "stop";
  if (press.key !== "Escape") return undefined;
  const isTwice = escapedAt !== undefined && press.timeStamp - escapedAt <= TWICE_MS;
  return isTwice ? "stop" : "first";
}
