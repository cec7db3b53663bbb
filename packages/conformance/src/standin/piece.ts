/** Words with the blanks around them: joined they give the text back. */
export function piecesOf(words: string): string[] {
  return words.match(/\s*\S+\s*/g) ?? [words];
}
