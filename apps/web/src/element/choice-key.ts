interface Press {
  readonly key: string;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

interface ChoicePlace {
  readonly isOpen: boolean;
  readonly place: number;
  readonly count: number;
}

/** leave: the list closes and the key does what it always does. */
export type ChoiceAction =
  | { readonly type: "none" | "open" | "take" | "close" | "leave" | "type" }
  | { readonly type: "move"; readonly place: number };

/** What a key does to a list of choices, as in a native select. */
export function choiceKey(press: Press, { isOpen, place, count }: ChoicePlace): ChoiceAction {
  const { key, altKey, ctrlKey, metaKey } = press;
  if (ctrlKey || metaKey) return { type: "none" };
  if (!isOpen) {
    if (key === "ArrowDown" || key === "ArrowUp") return { type: altKey ? "none" : "open" };
    if (key === "Enter" || key === " ") return { type: "open" };
    return { type: isLetter(key) && !altKey ? "type" : "none" };
  }
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: Math.min(place + 1, count - 1),
    ArrowUp: Math.max(place - 1, 0),
    Home: 0,
    End: count - 1,
    PageDown: Math.min(place + 8, count - 1),
    PageUp: Math.max(place - 8, 0),
  };
  const next = steps[key];
  if (next !== undefined) return { type: "move", place: next };
  if (key === "Enter" || key === " ") return { type: "take" };
  if (key === "Escape") return { type: "close" };
  if (key === "Tab") return { type: "leave" };
  return { type: isLetter(key) && !altKey ? "type" : "none" };
}

function isLetter(key: string): boolean {
  return key.length === 1 && key !== " ";
}

/** Letters that follow each other within this time are one word. */
const WORD_MS = 700;

/** The word that is being typed, with one more letter. */
export function typedChoice(
  before: { readonly text: string; readonly at: number },
  key: string,
  at: number,
): { readonly text: string; readonly at: number } {
  const isContinued = at - before.at <= WORD_MS;
  return { text: (isContinued ? before.text : "") + key.toLowerCase(), at };
}
