interface NumberedCode {
  readonly code: string;
  /** The number of the first line, if the text had numbers. */
  readonly first?: number;
}

const numberedLine = /^\s*(\d+)(?:→|\t)(.*)$/;

/** Strips the numbers that Claude's Read puts before each line; other text stays as it is. */
export function numberedCode(text: string): NumberedCode {
  const lines = text.replace(/\n$/, "").split("\n");
  const matches = lines.map((line) => numberedLine.exec(line));
  const first = Number(matches[0]?.[1]);
  const isNumbered = matches.every((match, index) => Number(match?.[1]) === first + index);
  if (!isNumbered) return { code: lines.join("\n") };
  return { code: matches.map((match) => match?.[2] ?? "").join("\n"), first };
}
