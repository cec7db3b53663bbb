import type { EventDraft } from "@turnwire/protocol";

/** UTF-16 units of one piece; each is at most six bytes in JSON, so a piece is a small event. */
const PIECE_LENGTH = 32 * 1024;

/** Splits a long draft whose text the fold joins again; all others stay one. */
export function splitDraft<Extra extends object>(
  draft: EventDraft & Extra,
): (EventDraft & Extra)[] {
  switch (draft.type) {
    case "delta":
    case "tool_output":
      return pieces(
        draft.data.text,
        (text) => ({ ...draft, data: { ...draft.data, text } }),
        draft,
      );
    case "tool_input_delta":
      return pieces(
        draft.data.partial_json,
        (partial_json) => ({ ...draft, data: { ...draft.data, partial_json } }),
        draft,
      );
    case "thinking": {
      const { done, ...data } = draft.data;
      return pieces(
        data.text,
        // Only the last piece ends the thought.
        (text, isLast) => ({
          ...draft,
          data: { ...data, text, ...(isLast && done !== undefined && { done }) },
        }),
        draft,
      );
    }
    default:
      return [draft];
  }
}

function pieces<Draft>(
  text: string,
  pieceOf: (text: string, isLast: boolean) => Draft,
  whole: Draft,
): Draft[] {
  if (text.length <= PIECE_LENGTH) return [whole];
  const drafts: Draft[] = [];
  for (let start = 0; start < text.length;) {
    const end = beforePair(text, start + PIECE_LENGTH);
    drafts.push(pieceOf(text.slice(start, end), end >= text.length));
    start = end;
  }
  return drafts;
}

/** The index, or the one before it where it would cut a surrogate pair in two. */
export function beforePair(text: string, index: number): number {
  const isCut = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(index - 1, index + 1));
  return isCut ? index - 1 : index;
}
