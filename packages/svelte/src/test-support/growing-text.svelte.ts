export interface GrowingText {
  readonly text: string;
  readonly add: (more: string) => void;
}

/** A text that a page follows while it grows. */
export function growingText(start: string): GrowingText {
  let text = $state(start);
  return {
    get text() {
      return text;
    },
    add: (more) => {
      text += more;
    },
  };
}
