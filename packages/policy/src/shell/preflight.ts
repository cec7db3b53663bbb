/** The longest command that is judged. */
export const maxCommandLength = 64 * 1024;
/** Brackets in brackets: real commands have a handful. */
const maxNesting = 60;
const maxHereDocuments = 40;
/** Characters that open something; a parser may need time for each of them together with the rest. */
const maxOpeners = 4_000;

/** Controls but for newline and tab, and what is invisible, reorders text or passes for a blank. */
const hidden =
  /(?![\n\t])\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|(?! )\p{Zs}|\p{Cs}|\p{Co}|\p{Default_Ignorable_Code_Point}|\u2800/u;
/** Signs that join emoji, which commit messages have. */
const emojiJoiner = /(\p{Extended_Pictographic})[\ufe0f\u200d]+/gu;

/** A reason why a command is not parsed at all because it is too large. */
export function sizeProblem(command: string): string | undefined {
  if (command.length > maxCommandLength) {
    return `the command has ${command.length} characters; at most ${maxCommandLength} are judged`;
  }
  let depth = 0;
  let openers = 0;
  for (let index = 0; index < command.length; index += 1) {
    const code = command.charCodeAt(index);
    if (code === 40 || code === 123) {
      depth += 1;
      openers += 1;
      if (depth > maxNesting) return `more than ${maxNesting} brackets are open at once`;
    } else if (code === 41 || code === 125) depth = Math.max(0, depth - 1);
    else if (code === 96) openers += 1;
  }
  if (openers > maxOpeners) return "there are too many brackets to judge";
  if (command.split("<<").length > maxHereDocuments)
    return "there are too many here-documents to judge";
  return undefined;
}

/** A reason why a command cannot be shown, or judged, as what it is. */
export function textProblem(command: string): string | undefined {
  const match = hidden.exec(command.replace(emojiJoiner, "$1"));
  if (!match) return undefined;
  const code = match[0].codePointAt(0) ?? 0;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  return `it contains the control or invisible character ${name}`;
}

/**
 * Bash takes a backslash at the end of a line out before it reads anything else, parsers do not:
 * `"$⏎{x}"` is an expansion. Behind a blank it separates words, and so both agree.
 */
export function continuationProblem(command: string): string | undefined {
  const isSplit = /(?<!\\)(?:\\\\)*(?<![\s\\])\\\n/.test(command);
  const isInText = /\\\n/.test(command) && /<<|\$'/.test(command);
  return isSplit || isInText ? "a line is continued within a word" : undefined;
}
