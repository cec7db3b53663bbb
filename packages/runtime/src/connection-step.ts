import type { RuntimeConnection } from "@turnwire/protocol";

/** One way to connect an agent. */
export type ConnectionStep = NonNullable<RuntimeConnection["steps"]>[number];

/** A step as a sentence of a longer text. */
export function sentenceFromStep({ text, command }: ConnectionStep): string {
  return command === undefined ? `${text}.` : `${text} (${command}).`;
}
