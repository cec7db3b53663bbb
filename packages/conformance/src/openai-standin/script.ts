import { defined } from "@turnwire/base";
import type { JsonObject } from "@turnwire/protocol";

/** Tokens as a script sets them. */
export interface TokenUsage {
  readonly input?: number;
  readonly cached?: number;
  readonly output?: number;
  readonly reasoning?: number;
}

export interface CallBeat {
  readonly type: "call";
  readonly name: string;
  /** `mcp__<server>`, `collaboration`, the name of a namespace of dynamic tools. */
  readonly namespace?: string;
  readonly input: JsonObject;
}

export interface FailBeat {
  readonly type: "fail";
  readonly status: number;
  readonly code?: string;
  /** Seconds after which the client may ask again; without it, no header is sent. */
  readonly retryAfter?: number;
}

/** One thing that the model does. */
export type Beat =
  | { readonly type: "text"; readonly text: string; readonly phase?: Phase }
  /** A message that comes whole, without deltas. */
  | { readonly type: "whole"; readonly text: string }
  | { readonly type: "summary"; readonly text: string }
  | { readonly type: "thought"; readonly text: string }
  | CallBeat
  | { readonly type: "patch"; readonly patch: string }
  /** An output item as it is, such as a web search. */
  | { readonly type: "item"; readonly item: JsonObject }
  | { readonly type: "gate"; readonly name: string }
  | FailBeat
  /** The stream ends with `response.failed`. */
  | { readonly type: "failed"; readonly code: string }
  | { readonly type: "incomplete" }
  | { readonly type: "cut" }
  /** The stream continues with what is not an event, and ends there. */
  | { readonly type: "broken" }
  | { readonly type: "usage"; readonly usage: TokenUsage };

type Phase = "commentary" | "final_answer";

/**
 * The model's answer to one call, in order. Neighbouring texts share a message, and thoughts and
 * summaries share a reasoning item, also around a gate.
 */
export type Reply = readonly Beat[];

/** The facts of a call by which its answer is chosen. */
export interface Cue {
  /** The text after the scenario's name in the prompt. */
  readonly argument: string;
  /** How often the model has answered since the prompt. */
  readonly round: number;
  /** How often this very call was made before: a client that tries again counts up. */
  readonly attempt: number;
  /** Results of the tools since the prompt, oldest first. */
  readonly toolOutputs: readonly string[];
}

/** Chooses the answer to each call that a prompt leads to. */
export type Scenario = (cue: Cue) => Reply;

export function text(words: string, phase?: Phase): Beat {
  return { type: "text", text: words, ...(phase && { phase }) };
}

/** A message without deltas. */
export function whole(words: string): Beat {
  return { type: "whole", text: words };
}

/** A part of the summary of what the model thinks. */
export function summary(words: string): Beat {
  return { type: "summary", text: words };
}

/** The model's whole thoughts. */
export function thought(words: string): Beat {
  return { type: "thought", text: words };
}

/** Uses a tool; every use gets an id of its own. */
export function call(name: string, input: JsonObject, namespace?: string): Beat {
  return { type: "call", name, input, ...defined({ namespace }) };
}

/** Changes files, in the language of `apply_patch`. */
export function patch(...lines: readonly string[]): Beat {
  return { type: "patch", patch: ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n") };
}

export function item(output: JsonObject): Beat {
  return { type: "item", item: output };
}

/** Holds the stream at this point until the gate is released. */
export function gate(name: string): Beat {
  return { type: "gate", name };
}

/** An HTTP error; it has to be the first beat. */
export function fail(status: number, more: Omit<FailBeat, "type" | "status"> = {}): Beat {
  return { type: "fail", status, ...more };
}

/** Ends the stream with an error. */
export function failed(code: string): Beat {
  return { type: "failed", code };
}

/** Ends the stream before the answer is whole. */
export function incomplete(): Beat {
  return { type: "incomplete" };
}

/** Drops the connection at this point. */
export function cut(): Beat {
  return { type: "cut" };
}

/** Ends the stream with words that are not an event. */
export function broken(): Beat {
  return { type: "broken" };
}

export function usage(tokens: TokenUsage): Beat {
  return { type: "usage", usage: tokens };
}

/** A scenario with an answer for each round; the last one answers all further rounds. */
export function rounds(...replies: readonly [Reply, ...Reply[]]): Scenario {
  return ({ round }) => replies[Math.min(round, replies.length - 1)] ?? replies[0];
}

/** A scenario with an answer for each attempt; the last one answers all further attempts. */
export function attempts(...replies: readonly [Reply, ...Reply[]]): Scenario {
  return ({ attempt }) => replies[Math.min(attempt, replies.length - 1)] ?? replies[0];
}
