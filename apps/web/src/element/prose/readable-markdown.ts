/**
 * What our Markdown does not know, in a form that it does: the heading of `<details>` in bold, its
 * tags left out, and footnotes as numbers in brackets. Code is left as it is.
 */
export function readableMarkdown(text: string): string {
  if (!/<\/?(?:details|summary)|\[\^/i.test(text)) return text;
  let fence: string | undefined;
  return text
    .split("\n")
    .map((line) => {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
      if (fence === undefined) fence = mark;
      else if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
      return fence === undefined && mark === undefined ? readableLine(line) : line;
    })
    .join("\n");
}

function readableLine(line: string): string {
  // Code spans keep their text.
  return line
    .split(/(`+[^`]*`+)/)
    .map((part, index) => (index % 2 === 1 ? part : readablePart(part)))
    .join("");
}

function readablePart(part: string): string {
  return part
    .replaceAll(/<summary>\s*(.*?)\s*<\/summary>/gi, "\n**$1**\n")
    .replaceAll(/<\/?details(?: open)?>/gi, "")
    .replaceAll(/^(\s*)\[\^([\w-]+)\]:\s*/g, "$1\\[$2\\] ")
    .replaceAll(/\[\^([\w-]+)\]/g, "\\[$1\\]");
}
