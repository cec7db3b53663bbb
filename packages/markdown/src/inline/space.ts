function isSpace(character: string | undefined): boolean {
  return character === " " || character === "\t" || character === "\n";
}

/** Without spaces, tabs and line ends after it; other white space is text in Markdown. */
export function trimSpaceEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isSpace(text[end - 1])) end -= 1;
  return text.slice(0, end);
}

/** The same on both sides. */
export function trimSpace(text: string): string {
  let start = 0;
  while (start < text.length && isSpace(text[start])) start += 1;
  return trimSpaceEnd(text.slice(start));
}
