import type { EventDraft } from "@turnwire/protocol";

/** Merged text stays below this, so that one event never gets heavy for a slow reader. */
const maxTextLength = 16_384;

/**
 * Joins neighbouring pieces of one text into one draft: what a client folds from them is the same,
 * in fewer rows. Only drafts that arrived together are offered, so nothing is delayed by it.
 */
export function coalesce(drafts: readonly EventDraft[]): EventDraft[] {
  const merged: EventDraft[] = [];
  for (const draft of drafts) {
    const last = merged.at(-1);
    const joined = last === undefined ? undefined : joinText(last, draft);
    if (joined === undefined) merged.push(draft);
    else merged[merged.length - 1] = joined;
  }
  return merged;
}

function joinText(first: EventDraft, second: EventDraft): EventDraft | undefined {
  if (first.subagent_id !== second.subagent_id || first.turn_id !== second.turn_id)
    return undefined;
  if (first.type === "delta" && second.type === "delta") {
    if (first.data.message_id !== second.data.message_id) return undefined;
    return fits(first.data.text, second.data.text)
      ? { ...first, data: { ...first.data, text: first.data.text + second.data.text } }
      : undefined;
  }
  if (first.type === "thinking" && second.type === "thinking") {
    if (first.data.message_id !== second.data.message_id || first.data.done === true)
      return undefined;
    const text = first.data.text + second.data.text;
    // An end without a word shows nothing by itself, but ends what the first has opened.
    const isMuteEnd = text === "" && second.data.done === true;
    return fits(first.data.text, second.data.text) && !isMuteEnd
      ? { ...second, data: { ...second.data, text } }
      : undefined;
  }
  if (first.type === "tool_output" && second.type === "tool_output") {
    if (first.data.tool_use_id !== second.data.tool_use_id) return undefined;
    return fits(first.data.text, second.data.text)
      ? { ...first, data: { ...first.data, text: first.data.text + second.data.text } }
      : undefined;
  }
  return undefined;
}

function fits(first: string, second: string): boolean {
  return first.length + second.length <= maxTextLength;
}
