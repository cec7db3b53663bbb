/** The first line of a text, with … where there is more or the line is longer than `length`. */
export function firstLine(text: string, length: number): string {
  const whole = text.trim();
  const [line = ""] = whole.split(/[\r\n\u2028\u2029]/, 1);
  if (line === whole && line.length <= length) return line;
  const cut = line.slice(0, length - 1).trimEnd();
  return `${isHighSurrogate(cut.charCodeAt(cut.length - 1)) ? cut.slice(0, -1) : cut}…`;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
