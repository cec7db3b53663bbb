import { randomBytes } from "node:crypto";

/** An event of the Responses stream. */
export interface StreamEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** An output item is whole. */
export function outputDone(item: object, index: number): StreamEvent {
  return { type: "response.output_item.done", output_index: index, item };
}

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(9).toString("hex")}`;
}
