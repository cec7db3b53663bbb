import type { JsonObject } from "@turnwire/protocol";

/** Tokens as the Messages API counts them. */
export interface TokenUsage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cache_read_input_tokens?: number;
  readonly cache_creation_input_tokens?: number;
}

/** One thing that the model does. */
export type Beat =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string }
  | { readonly type: "tool_use"; readonly name: string; readonly input: JsonObject }
  | { readonly type: "gate"; readonly name: string }
  | {
      readonly type: "fail";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly type: "cut" }
  | { readonly type: "stop"; readonly reason: string }
  | { readonly type: "usage"; readonly usage: TokenUsage };

/** The model's answer to one call, in order. Neighbouring beats of one kind of text share a block. */
export type Reply = readonly Beat[];

/** The facts of a call by which its answer is chosen. */
export interface Cue {
  /** The text after the scenario's name in the prompt. */
  readonly argument: string;
  /** How often the model has answered since the prompt. */
  readonly round: number;
  /** How often this very call was made before: a client that tries again counts up. */
  readonly attempt: number;
  /** Messages that a person sent while the turn was running. */
  readonly interjections: readonly string[];
  /** The text of the newest tool results, oldest first. */
  readonly toolResults: readonly string[];
  /** Where the CLI wants the plan written, in plan mode. */
  readonly planFile: string | undefined;
}

/** Chooses the answer to each call that a prompt leads to. */
export type Scenario = (cue: Cue) => Reply;

export function text(words: string): Beat {
  return { type: "text", text: words };
}

export function thinking(words: string): Beat {
  return { type: "thinking", text: words };
}

/** Every use gets an id of its own: the CLI drops the result of an id that it has seen before. */
export function toolUse(name: string, input: JsonObject): Beat {
  return { type: "tool_use", name, input };
}

/** Holds the stream at this point until the gate is released. */
export function gate(name: string): Beat {
  return { type: "gate", name };
}

/** As the first beat an HTTP error, later an error event within the stream. */
export function fail(status: number, headers: Readonly<Record<string, string>> = {}): Beat {
  return { type: "fail", status, headers };
}

/** Drops the connection at this point. */
export function cut(): Beat {
  return { type: "cut" };
}

/** Why the model stops; without it, for its tool uses or at the end of its turn. */
export function stop(reason: string): Beat {
  return { type: "stop", reason };
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
