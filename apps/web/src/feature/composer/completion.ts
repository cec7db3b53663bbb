/** A word in the text that can be completed: a command at the beginning, or a file after `@`. */
export interface Trigger {
  readonly type: "command" | "path";
  /** What was typed of it so far. */
  readonly query: string;
  /** Where the word begins and ends, with its sign. */
  readonly start: number;
  readonly end: number;
}

/** One way to complete the word. */
export interface Offer {
  readonly value: string;
  readonly description?: string;
  /** More can follow: the list stays open. */
  readonly isOpenEnded?: boolean;
}

/** The word at the caret that can be completed, if there is one. */
export function triggerAt(text: string, caret: number): Trigger | undefined {
  const before = text.slice(0, caret);
  const rest = /^\S*/.exec(text.slice(caret))?.[0].length ?? 0;
  const command = /^\/(\S*)$/.exec(before);
  if (command) {
    return { type: "command", query: command[1] ?? "", start: 0, end: caret + rest };
  }
  const path = /(?:^|\s)@(\S*)$/.exec(before);
  if (!path) return undefined;
  const query = path[1] ?? "";
  return { type: "path", query, start: caret - query.length - 1, end: caret + rest };
}

interface NamedCommand {
  readonly name: string;
  readonly description?: string | undefined;
}

/** The matching commands: an exact match, then those that begin with the query, then those that contain it. */
export function matchCommands(commands: readonly NamedCommand[], query: string): readonly Offer[] {
  const wanted = query.toLowerCase();
  const ranked = commands.flatMap((command) => {
    const rank = rankOf(command.name.toLowerCase(), wanted);
    return rank === undefined ? [] : [{ command, rank }];
  });
  return ranked
    .toSorted((left, right) => left.rank - right.rank)
    .map(({ command: { name, description } }) => ({
      value: name,
      ...(description !== undefined && { description }),
    }));
}

function rankOf(name: string, wanted: string): number | undefined {
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  return name.includes(wanted) ? 2 : undefined;
}

/** True if the word is complete already. */
export function isComplete(trigger: Trigger, offer: Offer): boolean {
  return trigger.query === offer.value;
}

/** The text with the word completed, and where the caret goes. */
export function completed(
  text: string,
  trigger: Trigger,
  offer: Offer,
): { readonly text: string; readonly caret: number } {
  const sign = trigger.type === "command" ? "/" : "@";
  const after = text.slice(trigger.end);
  const gap = offer.isOpenEnded || /^\s/.test(after) ? "" : " ";
  const head = `${text.slice(0, trigger.start)}${sign}${offer.value}${gap}`;
  return { text: head + after, caret: head.length };
}
