import type { JsonObject } from "@turnwire/protocol";
import { isIdle, type Recording, type RecordingOptions } from "../recording.ts";

/** A conversation to record. */
export interface Script {
  readonly options?: RecordingOptions;
  readonly play: (recording: Recording) => Promise<void>;
}

export type Scripts = Readonly<Record<string, Script>>;

/** Plays turns one after the other. */
export const turns =
  (...prompts: string[]) =>
  async (recording: Recording): Promise<void> => {
    for (const prompt of prompts) await recording.turn(prompt);
  };

export function isOf(type: string, subtype?: string) {
  return (message: JsonObject): boolean =>
    message["type"] === type && (subtype === undefined || message["subtype"] === subtype);
}

/** Sends a prompt and acts when the stream has come to the gate `middle`. */
export async function atGate(
  recording: Recording,
  prompt: string,
  act: () => unknown,
): Promise<void> {
  recording.send(prompt);
  await recording.standin.reached("middle");
  await recording.until(isTextDelta);
  await act();
  await recording.until(isIdle);
}

export function isTextDelta(message: JsonObject): boolean {
  return JSON.stringify(message).includes('"text_delta"');
}
