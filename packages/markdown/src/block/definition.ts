import {
  destinationAt,
  labelAt,
  normalizedLabel,
  skipSpace,
  titleAt,
} from "../inline/link-part.ts";
import type { Definition } from "../tree/definition-table.ts";

/** The link reference definitions that a paragraph starts with, and what is left of it. */
export function takeDefinitions(content: string): { definitions: Definition[]; rest: string } {
  const definitions: Definition[] = [];
  let offset = 0;
  while (content[offset] === "[") {
    const found = definitionAt(content, offset);
    if (found === undefined) break;
    definitions.push(found.definition);
    offset = found.end;
  }
  return { definitions, rest: content.slice(offset) };
}

function definitionAt(
  content: string,
  offset: number,
): { definition: Definition; end: number } | undefined {
  const label = labelAt(content, offset);
  if (label === undefined || label.value.trim() === "" || content[label.end] !== ":")
    return undefined;
  const urlStart = skipSpace(content, label.end + 1);
  const url = destinationAt(content, urlStart);
  if (url === undefined || url.end === urlStart) return undefined;
  const definition = { label: normalizedLabel(label.value), url: url.value };
  const titleStart = skipSpace(content, url.end);
  const title = titleStart > url.end ? titleAt(content, titleStart) : undefined;
  const afterTitle = title && endOfLine(content, title.end);
  if (title !== undefined && afterTitle !== undefined) {
    return { definition: { ...definition, title: title.value }, end: afterTitle };
  }
  const afterUrl = endOfLine(content, url.end);
  return afterUrl === undefined ? undefined : { definition, end: afterUrl };
}

/** The start of the next line, if nothing but space is left of this one. */
function endOfLine(content: string, offset: number): number | undefined {
  let end = offset;
  while (content[end] === " " || content[end] === "\t") end += 1;
  if (end === content.length) return end;
  return content[end] === "\n" ? end + 1 : undefined;
}
