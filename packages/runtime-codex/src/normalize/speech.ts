import { draft, type EventDraft } from "@turnwire/protocol";
import { andThen, forEach, withEntry, withoutEntry } from "@turnwire/runtime";
import type { ItemOf } from "../protocol/item.ts";
import type { CodexMessageOf } from "../protocol/message.ts";
import { type CodexState, type OpenSpeech, placeOf, type ItemPlace, type Step } from "./state.ts";

/** The model speaks. */
export function takeDelta(
  state: CodexState,
  { params }: CodexMessageOf<"item/agentMessage/delta">,
): Step {
  const { itemId, delta } = params;
  if (delta === "") return [state, []];
  return deliver(state, { ...opened(state, itemId, params), kind: "message" }, delta);
}

/** The model thinks, in full or in a summary. */
export function takeThought(
  state: CodexState,
  {
    params,
    method,
  }: CodexMessageOf<"item/reasoning/textDelta" | "item/reasoning/summaryTextDelta">,
): Step {
  const source = method === "item/reasoning/textDelta" ? "full" : "summary";
  const speech = opened(state, params.itemId, params);
  if (params.delta === "" || (speech.source ?? source) !== source) return [state, []];
  return deliver(state, { ...speech, kind: "thinking", source }, params.delta);
}

/** The parts of a summary are paragraphs. */
export function takeSummaryPart(
  state: CodexState,
  { params }: CodexMessageOf<"item/reasoning/summaryPartAdded">,
): Step {
  const speech = state.speeches.get(params.itemId);
  if (speech?.source !== "summary") return [state, []];
  return deliver(state, speech, "\n\n");
}

/** A message is whole: what no delta brought is delivered now. */
export function completeMessage(
  state: CodexState,
  item: ItemOf<"agentMessage">,
  itemPlace: ItemPlace,
): Step {
  const speech: OpenSpeech = { ...opened(state, item.id, itemPlace), kind: "message" };
  const rest = item.text.startsWith(speech.text) ? item.text.slice(speech.text.length) : "";
  const delivered: Step = rest === "" ? [state, []] : deliver(state, speech, rest);
  return andThen(delivered, (next) => {
    // Codex takes plans and citations out of the text after it has streamed it.
    const isKept = item.text.includes(speech.text.trim());
    const text = isKept ? item.text : speech.text;
    const phase = item.phase ? { phase: item.phase } : {};
    return closeMessage(next, { ...speech, text }, phase);
  });
}

export function completeThought(
  state: CodexState,
  item: ItemOf<"reasoning">,
  itemPlace: ItemPlace,
): Step {
  const speech: OpenSpeech = { ...opened(state, item.id, itemPlace), kind: "thinking" };
  const { summary = [], content = [] } = item;
  const whole = summary.length > 0 ? summary.join("\n\n") : content.join("");
  const delivered: Step =
    speech.text === "" && whole !== "" ? deliver(state, speech, whole) : [state, []];
  return andThen(delivered, (next) => {
    const speech = next.speeches.get(item.id);
    return speech ? closeThought(next, speech) : [next, []];
  });
}

/** The stream broke and the model is asked again: what it has begun to say does not count. */
export function retractSpeech(state: CodexState, threadId: string): Step {
  return forEach(state, speechesOf(state, threadId), (next, speech) => {
    const message = { role: "assistant" as const, content: [] };
    const data = { message_id: speech.id, message, retracted: true };
    const retracted = draft("message_complete", data, placeOf(next, speech.itemPlace));
    return [without(next, speech.id), speech.text === "" ? [] : [retracted]];
  });
}

/** What a thread was saying is over, as far as it came. */
export function closeSpeech(state: CodexState, threadId?: string): Step {
  return forEach(state, speechesOf(state, threadId), (next, speech) =>
    speech.kind === "thinking" ? closeThought(next, speech) : closeMessage(next, speech, {}),
  );
}

/** What is being said: by one thread, or by all. */
function speechesOf(state: CodexState, threadId: string | undefined): OpenSpeech[] {
  return [...state.speeches.values()].filter(
    ({ itemPlace }) => threadId === undefined || itemPlace.threadId === threadId,
  );
}

function opened(state: CodexState, id: string, { threadId, turnId }: ItemPlace): OpenSpeech {
  const known = state.speeches.get(id);
  return known ?? { id, kind: "message", itemPlace: { threadId, turnId }, text: "" };
}

function deliver(state: CodexState, speech: OpenSpeech, text: string): Step {
  const said = { ...speech, text: speech.text + text };
  const next = { ...state, speeches: withEntry(state.speeches, speech.id, said) };
  const type = speech.kind === "message" ? "delta" : "thinking";
  const event = draft(type, { message_id: speech.id, text }, placeOf(state, speech.itemPlace));
  return [next, [event]];
}

function closeThought(state: CodexState, { id, itemPlace }: OpenSpeech): Step {
  const data = { message_id: id, text: "", done: true };
  return [without(state, id), [draft("thinking", data, placeOf(state, itemPlace))]];
}

function closeMessage(
  state: CodexState,
  { id, itemPlace, text }: OpenSpeech,
  phase: { phase?: string },
): Step {
  const next = without(state, id);
  if (text === "") return [next, []];
  const message = {
    role: "assistant" as const,
    content: [{ type: "text", text, ...phase }],
    ...(state.model !== undefined && { model: state.model }),
  };
  const event: EventDraft = draft(
    "message_complete",
    { message_id: id, message },
    placeOf(state, itemPlace),
  );
  return [next, [event]];
}

function without(state: CodexState, id: string): CodexState {
  return { ...state, speeches: withoutEntry(state.speeches, id) };
}
