import { type Capabilities, type ReviewTarget, reviewTargetFrom } from "@turnwire/protocol";

type Commands = Capabilities["slash_commands"];

const reviewCommand: Commands[number] = {
  name: "review",
  description:
    "Have changes reviewed: those not committed, branch NAME, commit ID, or what you describe",
};

/** The agent's commands, after those of the composer. */
export function commandsOf({ review, slash_commands }: Capabilities): Commands {
  return review ? [reviewCommand, ...slash_commands] : slash_commands;
}

/** The target of a message that asks for a review; undefined: it is an ordinary one. */
export function reviewIn(
  text: string,
  { review }: Pick<Capabilities, "review">,
): ReviewTarget | undefined {
  const typed = review ? /^\/review(?:\s([^]*))?$/.exec(text.trim()) : null;
  return typed ? reviewTargetFrom(typed[1] ?? "") : undefined;
}
