/** Wording that is still too common to forbid. */
export interface RareWording {
  readonly name: string;
  /** Matches within one line. */
  readonly pattern: RegExp;
  readonly write: string;
  /** How many lines have it at most, in the whole repository. This number only shrinks. */
  readonly most: number;
}

export const rareWordings: readonly RareWording[] = [
  {
    name: "a comment that begins with a clause in place of a noun",
    pattern: /(\/\*\*|\/\/|^\s*\*|\. ) ?(What|Who|Whoever|Whatever) [^?]*$/,
    write: "the noun: `The events of a turn`, not `What happened in a turn`",
    most: 980,
  },
  {
    name: "beside",
    pattern: /\b[Bb]eside\b/,
    write: "with, next to, besides, in addition to",
    most: 290,
  },
];
