/** The last line of an answer that is not blank, without the blanks around it. */
function lastLine(answer: string): string {
  return linesOf(answer).findLast((line) => line !== "") ?? "";
}

function linesOf(answer: string): string[] {
  return answer.split(/\r\n|\r|\n/).map((line) => line.trim());
}

/** Whether an answer ends with the signal, alone on its last line: a signal that is only mentioned does not count. */
export function saysDone(answer: string, signal: string): boolean {
  return lastLine(answer) === signal;
}

/** What a reviewer decided; undefined where it gave no verdict, or two different ones. */
export type ReviewVerdict = "PASS" | "FAIL";

/** The verdict alone on the last line, which no other line contradicts. */
export function verdictOf(answer: string): ReviewVerdict | undefined {
  const verdicts = new Set(linesOf(answer).filter(isVerdict));
  const last = lastLine(answer);
  return isVerdict(last) && verdicts.size === 1 ? last : undefined;
}

/** A review without its verdict: what is left for the one whose work it is. */
export function notesOf(answer: string): string {
  const kept = answer.split(/\r\n|\r|\n/).filter((line) => !isVerdict(line.trim()));
  return kept.join("\n").trim();
}

function isVerdict(line: string): line is ReviewVerdict {
  return line === "PASS" || line === "FAIL";
}
