import type { TokenLine } from "./token.ts";

/** A request to the worker. */
export interface HighlightRequest {
  readonly id: number;
  readonly code: string;
  readonly language: string;
}

/** The worker's answer. */
export interface HighlightAnswer {
  readonly id: number;
  readonly lines: readonly TokenLine[];
}

export function isHighlightRequest(data: unknown): data is HighlightRequest {
  return (
    hasId(data) &&
    "code" in data &&
    typeof data.code === "string" &&
    "language" in data &&
    typeof data.language === "string"
  );
}

export function isHighlightAnswer(data: unknown): data is HighlightAnswer {
  return hasId(data) && "lines" in data && Array.isArray(data.lines);
}

function hasId(data: unknown): data is { readonly id: number } {
  return typeof data === "object" && data !== null && "id" in data && typeof data.id === "number";
}
