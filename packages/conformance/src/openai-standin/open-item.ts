import type { Beat } from "./script.ts";
import { newId, outputDone, type StreamEvent } from "./stream-event.ts";

type SpokenBeat = Extract<Beat, { type: "text" | "summary" | "thought" }>;

const deltaTypes = {
  text: "response.output_text.delta",
  summary: "response.reasoning_summary_text.delta",
  thought: "response.reasoning_text.delta",
} as const;

/** A message or a reasoning item that is being streamed. */
export class OpenItem {
  readonly #id: string;
  readonly #index: number;
  readonly #isMessage: boolean;
  readonly #phase: string | undefined;
  readonly #summary: string[] = [];
  #thought = "";
  #text = "";

  constructor(beat: SpokenBeat, index: number) {
    this.#isMessage = beat.type === "text";
    this.#phase = beat.type === "text" ? beat.phase : undefined;
    this.#id = newId(this.#isMessage ? "msg" : "rs");
    this.#index = index;
  }

  /** Whether the beat continues with this item: a stream can be held in an item's middle. */
  takes(beat: Beat): boolean {
    switch (beat.type) {
      case "text":
        return this.#isMessage && beat.phase === this.#phase;
      case "summary":
      case "thought":
        return !this.#isMessage;
      case "gate":
      case "usage":
      case "cut":
      case "broken":
      case "failed":
      case "incomplete":
        return true;
      case "whole":
      case "call":
      case "patch":
      case "item":
      case "fail":
        return false;
    }
  }

  added(): StreamEvent {
    const item = { ...this.#item([], []), status: "in_progress" };
    return { type: "response.output_item.added", output_index: this.#index, item };
  }

  /** Each part of a summary is announced. */
  *begin({ type }: SpokenBeat): Generator<StreamEvent> {
    if (type !== "summary") return;
    this.#summary.push("");
    yield {
      type: "response.reasoning_summary_part.added",
      item_id: this.#id,
      output_index: this.#index,
      summary_index: this.#summary.length - 1,
    };
  }

  delta(type: SpokenBeat["type"], piece: string): StreamEvent {
    if (type === "text") this.#text += piece;
    if (type === "thought") this.#thought += piece;
    if (type === "summary") this.#summary.push((this.#summary.pop() ?? "") + piece);
    const summary = type === "summary" && { summary_index: this.#summary.length - 1 };
    return {
      type: deltaTypes[type],
      item_id: this.#id,
      output_index: this.#index,
      delta: piece,
      ...(summary || { content_index: 0 }),
    };
  }

  done(): StreamEvent {
    const summary = this.#summary.map((text) => ({ type: "summary_text", text }));
    const content = this.#isMessage
      ? [{ type: "output_text", text: this.#text }]
      : [{ type: "reasoning_text", text: this.#thought }].filter(({ text }) => text !== "");
    return outputDone(this.#item(content, summary), this.#index);
  }

  #item(content: readonly object[], summary: readonly object[]): object {
    if (!this.#isMessage) return { type: "reasoning", id: this.#id, summary, content };
    const phase = this.#phase !== undefined && { phase: this.#phase };
    return { type: "message", id: this.#id, role: "assistant", content, ...phase };
  }
}
