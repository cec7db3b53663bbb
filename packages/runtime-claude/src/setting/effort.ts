import type { EffortLevel } from "@anthropic-ai/claude-agent-sdk";
import { RuntimeError } from "@turnwire/runtime";

/** Lowest first; the CLI takes the nearest one that the model supports. */
export const efforts: readonly EffortLevel[] = ["low", "medium", "high", "xhigh", "max"];

export function effortFromName(name: string): EffortLevel {
  const effort = efforts.find((known) => known === name);
  if (effort !== undefined) return effort;
  throw new RuntimeError("invalid_input", `Claude has no effort ${JSON.stringify(name)}.`);
}
