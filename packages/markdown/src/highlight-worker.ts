import { type HighlightAnswer, isHighlightRequest } from "./highlight/message.ts";
import { plainLines, type TokenLine } from "./highlight/token.ts";
import { tokenLinesFrom } from "./highlight/tokenize.ts";

function linesFrom(code: string, language: string): readonly TokenLine[] {
  try {
    return tokenLinesFrom(code, language);
  } catch {
    return plainLines(code); // a grammar that fails costs the colours, not the code
  }
}

/** Only the page that made this worker can post to it. */
addEventListener("message", ({ data }: MessageEvent<unknown>) => {
  if (!isHighlightRequest(data)) return;
  const answer: HighlightAnswer = { id: data.id, lines: linesFrom(data.code, data.language) };
  postMessage(answer);
});
